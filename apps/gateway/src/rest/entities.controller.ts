import { EntityDetail, EntityView, pageOf, type QueryAnswer } from '@cairn/contracts';
import { Body, Delete, Get, Param, Post, Query } from '@nestjs/common';
import type { z } from 'zod';
import { BY_ID } from './by-id.js';
import { idParam } from './common.schema.js';
import { EntitiesMergedAnswer, entityFilter, newMerge } from './graph.schema.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';
import { withoutFolder } from './without-folder.js';

type Anchor = QueryAnswer<'entity.locate'>['anchors'][number];

const placeOf = ({ itemId, chunkId }: Anchor) => ({ itemId, chunkId });

@RestController('entities', { access: 'admin' })
export class EntitiesController {
  @Get()
  @Operation({ access: 'graph:read', summary: 'List the entities of the graph by name', answer: pageOf(EntityView) })
  async list(@Query({ schema: entityFilter }) filter: z.output<typeof entityFilter>, @Call() { cairn }: RestCall) {
    const { items, nextCursor } = await cairn.query('entities.list', { ...filter, surface: 'rest' });
    return { items: items.map(withoutFolder), nextCursor };
  }

  @Post('merges')
  @Operation({
    summary: 'Declare two entities to be one',
    note: 'Applies to every reader that may see both names. Nothing is rewritten: deleting the merge separates the two again.',
    status: 201,
    answer: EntitiesMergedAnswer,
    takesKey: true,
  })
  async merge(@Body({ schema: newMerge }) { aliasId, canonicalId }: z.output<typeof newMerge>, @Call() call: RestCall) {
    const { cairn } = call;
    const [alias, canonical] = [
      await cairn.query('entity.locate', { entityId: aliasId }),
      await cairn.query('entity.locate', { entityId: canonicalId }),
    ];
    return cairn.command('entity.merge', {
      // A repeat is recognised by this id: by then the names may stand in other places.
      mergeId: call.newId(`merge ${aliasId} ${canonicalId}`),
      alias: alias.anchors.map(placeOf),
      canonical: canonical.anchors.map(placeOf),
      names: { alias: alias.anchors.map(({ name }) => name), canonical: canonical.anchors.map(({ name }) => name) },
    });
  }

  @Delete(`merges/${BY_ID}`)
  @Operation({ summary: 'Separate two merged entities again', status: 204, takesKey: true })
  async split(@Param({ schema: idParam }) { id }: z.output<typeof idParam>, @Call() { cairn }: RestCall) {
    await cairn.command('entity.split', { mergeId: id });
  }

  @Get(BY_ID)
  @Operation({
    access: 'graph:read',
    summary: 'Get an entity with its edges and the items that mention it',
    answer: EntityDetail,
  })
  async get(@Param({ schema: idParam }) { id }: z.output<typeof idParam>, @Call() { cairn }: RestCall) {
    const { edges, mentionedIn, ...entity } = await cairn.query('entity.get', { entityId: id, surface: 'rest' });
    return { ...withoutFolder(entity), edges: edges.map(withoutFolder), mentionedIn: mentionedIn.map(withoutFolder) };
  }
}
