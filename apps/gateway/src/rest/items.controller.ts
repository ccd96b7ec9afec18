import { BODY_BYTES_MAX, FILE_BYTES_MAX, ForgetResult, ItemSummary, pageOf } from '@cairn/contracts';
import { DOCUMENT_FORMATS, DocumentParser, fileItem } from '@cairn/documents';
import { Body, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import type { z } from 'zod';
import { ItemStoredAnswer, ItemUpdatedAnswer } from './answer.schema.js';
import { BY_ID } from './by-id.js';
import { idParam } from './common.schema.js';
import { ItemWithMentions } from './graph.schema.js';
import { itemChange, itemFilter, newFile, newItem, type NewItem } from './item.schema.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';
import { storeItem } from './store-item.js';
import { AcceptsUpload, Upload } from './upload.interceptor.js';
import { withoutFolder } from './without-folder.js';

const FILE_TYPES = DOCUMENT_FORMATS.map((format) => `.${format}`).join(' ');

export const FORGOTTEN_FOR_GOOD =
  'Cannot be undone. With the answer no reader finds it any more; its keys, messages and rows are gone within a minute, ' +
  'its last bytes on disk within a day. Also in sensitive folders. The receipt says how far it is.';

@RestController('items', { access: 'admin' })
export class ItemsController {
  constructor(private readonly documents: DocumentParser) {}

  @Post()
  @Operation({
    access: 'write',
    summary: 'Store an item',
    note:
      `As JSON of up to ${BODY_BYTES_MAX} bytes, or as a form with a file (${FILE_TYPES}) of up to ${FILE_BYTES_MAX} bytes, ` +
      'whose text is stored. A text whose JSON has more bytes than that is sent as a file.',
    status: 201,
    answer: ItemStoredAnswer,
    takesKey: true,
  })
  @AcceptsUpload(newFile)
  async store(@Body({ schema: newItem }) body: NewItem | Upload<typeof newFile>, @Call() call: RestCall) {
    if (!(body instanceof Upload)) return storeItem(call.cairn, body, 'document');
    const { title, source, ...fields } = body.fields;
    const found = await fileItem(body.file, (file) => this.documents.parse(file, call.principal));
    const { name, text, format } = found;
    const item = { ...fields, title: title ?? found.title, text, source: { name, ...source } };
    return storeItem(call.cairn, { ...item, format }, 'file');
  }

  @Get()
  @Operation({
    access: 'read',
    summary: 'List items, newest first. Searching chunks is for MCP: use search_knowledge_base',
    answer: pageOf(ItemSummary),
  })
  list(@Query({ schema: itemFilter }) filter: z.output<typeof itemFilter>, @Call() { cairn }: RestCall) {
    return cairn.query('items.list', { ...filter, surface: 'rest' });
  }

  @Get(BY_ID)
  @Operation({ access: 'read', summary: 'Get an item with its text', answer: ItemWithMentions })
  async get(@Param({ schema: idParam }) { id }: z.output<typeof idParam>, @Call() { cairn }: RestCall) {
    const item = await cairn.query('item.get', { itemId: id, surface: 'rest' });
    const { mentions } = await cairn.query('item.mentions', { itemId: id, surface: 'rest' });
    return { ...item, mentions: mentions.map(withoutFolder) };
  }

  @Patch(BY_ID)
  @Operation({
    access: 'write',
    summary: 'Move an item, put it into the knowledge base or take it out, change its title or tags',
    note: 'At least one field. Search follows with the answer.',
    answer: ItemUpdatedAnswer,
    takesKey: true,
  })
  async change(
    @Body({ schema: itemChange }) change: z.output<typeof itemChange>,
    @Param({ schema: idParam }) { id }: z.output<typeof idParam>,
    @Call() { cairn }: RestCall,
  ) {
    const { position } = await cairn.command('item.update', { itemId: id, ...change });
    const { content: _, chunks: __, ...item } = await cairn.query('item.get', { itemId: id, surface: 'rest' });
    return { ...item, position };
  }

  @Delete(BY_ID)
  @Operation({
    summary: 'Forget an item and all its chunks for good',
    note: FORGOTTEN_FOR_GOOD,
    answer: ForgetResult,
    takesKey: true,
  })
  forget(@Param({ schema: idParam }) { id }: z.output<typeof idParam>, @Call() { cairn }: RestCall) {
    return cairn.command('item.forget', { itemId: id, surface: 'rest' });
  }
}
