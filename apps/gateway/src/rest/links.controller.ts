import { GraphConfidence, LINKS_PER_CALL_MAX, LinkView, NewLinkType, pageOf, Position, Uuid } from '@cairn/contracts';
import { Body, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { z } from 'zod';
import { BY_ID } from './by-id.js';
import { idParam, pageQuery } from './common.schema.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';

const newLinks = z.strictObject({
  links: z
    .array(
      z.strictObject({
        fromItemId: Uuid,
        toItemId: Uuid.describe('Another item than fromItemId.'),
        type: NewLinkType.describe('To replace an item, use supersede_knowledge.'),
        confidence: GraphConfidence.default(1).describe('Two decimals.'),
      }),
    )
    .min(1)
    .max(LINKS_PER_CALL_MAX),
});

const LinksAddedAnswer = z.object({
  linkIds: z.array(Uuid).describe('In the order of the request.'),
  position: Position,
});

@RestController('links', { access: 'graph:write' })
export class LinksController {
  @Post()
  @Operation({
    summary: 'Link items to each other',
    note:
      'All links of a request are added, or none. A link between the same two items with the same type that is there ' +
      'already answers its id and keeps its confidence. Links are forgotten with either of their items.',
    status: 201,
    answer: LinksAddedAnswer,
    takesKey: true,
  })
  add(@Body({ schema: newLinks }) { links }: z.output<typeof newLinks>, @Call() { cairn }: RestCall) {
    return cairn.command('link.add', { links, surface: 'rest' });
  }

  @Delete(BY_ID)
  @Operation({
    summary: 'Remove a link',
    note: 'A link that was read from a text is 404: it goes when the text is corrected.',
    status: 204,
    takesKey: true,
  })
  async remove(
    @Param({ schema: idParam }) { id }: z.output<typeof idParam>,
    @Call() { cairn }: RestCall,
  ): Promise<void> {
    await cairn.command('link.remove', { linkId: id, surface: 'rest' });
  }
}

@RestController('items', { access: 'graph:read' })
export class ItemLinksController {
  @Get(`${BY_ID}/links`)
  @Operation({
    summary: 'List the links of an item, those that were read from its text included',
    note: 'Links to items that the token may not see are left out.',
    answer: pageOf(LinkView),
  })
  async list(
    @Param({ schema: idParam }) { id }: z.output<typeof idParam>,
    @Query({ schema: pageQuery }) page: z.output<typeof pageQuery>,
    @Call() { cairn }: RestCall,
  ) {
    const { items, nextCursor } = await cairn.query('links.list', { ...page, itemId: id, surface: 'rest' });
    // The folder of the other end was only needed for the scope check; it is not part of the link.
    return { items: items.map(({ folderId: _, ...link }) => link), nextCursor };
  }
}
