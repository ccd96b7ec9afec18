import { filled, ITEM_TEXT_CHARS_MAX, ITEM_TITLE_CHARS_MAX, Uuid } from '@cairn/contracts';
import { Body, Post } from '@nestjs/common';
import { z } from 'zod';
import { ItemStoredAnswer } from './answer.schema.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';
import { storeItem } from './store-item.js';

const newLogCard = z.strictObject({
  title: filled(ITEM_TITLE_CHARS_MAX),
  text: filled(ITEM_TEXT_CHARS_MAX).describe('What the run is about.'),
  folderId: Uuid.optional().describe('The token’s only folder, else the default folder, when left out.'),
});

@RestController('log-cards', { access: 'write' })
export class LogCardsController {
  @Post()
  @Operation({
    summary: 'Store a log card: the item that a run of an agent attaches its files to',
    note: 'Files are attached by agents that run inside a host process, with carabase_attach_file.',
    status: 201,
    answer: ItemStoredAnswer,
    takesKey: true,
  })
  store(@Body({ schema: newLogCard }) body: z.output<typeof newLogCard>, @Call() { cairn }: RestCall) {
    return storeItem(cairn, { ...body, inKb: true, tags: [], source: { kind: 'agent' } }, 'log-card');
  }
}
