import {
  filled,
  folderChangeFields,
  FolderView,
  NAME_CHARS_MAX,
  pageOf,
  README_CHARS_MAX,
  Slug,
  someFolderChange,
  text,
  Tier,
  TOKENS_PER_RECALL_MAX,
} from '@cairn/contracts';
import type { CairnPort } from '@cairn/mcp-tools';
import { Body, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { z } from 'zod';
import { FolderWrittenAnswer } from './answer.schema.js';
import { BY_ID } from './by-id.js';
import { idParam, pageQuery } from './common.schema.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';

const recallCap = z.int().min(0).max(TOKENS_PER_RECALL_MAX).nullable().describe('null is the default of the tier.');

const newFolder = z.strictObject({
  slug: Slug,
  name: filled(NAME_CHARS_MAX),
  tier: Tier.default('personal'),
  maxTokensPerRecall: recallCap.default(null),
  readme: text(0, README_CHARS_MAX).default(''),
});

const folderChange = someFolderChange(
  z.strictObject({ ...folderChangeFields, maxTokensPerRecall: recallCap.optional() }),
);

const written = async (cairn: CairnPort, result: { readonly folderId: string; readonly position: number }) => ({
  ...(await cairn.query('folder.get', { folderId: result.folderId, surface: 'rest' })),
  position: result.position,
});

@RestController('folders', { access: 'admin' })
export class FoldersController {
  @Post()
  @Operation({ summary: 'Create a folder', status: 201, answer: FolderWrittenAnswer, takesKey: true })
  async create(@Body({ schema: newFolder }) body: z.output<typeof newFolder>, @Call() call: RestCall) {
    const folderId = call.newId('folder');
    return written(call.cairn, await call.cairn.command('folder.create', { folderId, ...body }));
  }

  @Get()
  @Operation({ access: 'read', summary: 'List folders', answer: pageOf(FolderView) })
  list(@Query({ schema: pageQuery }) page: z.output<typeof pageQuery>, @Call() { cairn }: RestCall) {
    return cairn.query('folders.list', { ...page, surface: 'rest' });
  }

  @Get(BY_ID)
  @Operation({ access: 'read', summary: 'Get a folder', answer: FolderView })
  get(@Param({ schema: idParam }) { id }: z.output<typeof idParam>, @Call() { cairn }: RestCall) {
    return cairn.query('folder.get', { folderId: id, surface: 'rest' });
  }

  @Patch(BY_ID)
  @Operation({
    summary: 'Rename a folder, change its tier, cap or readme',
    note: 'At least one field.',
    answer: FolderWrittenAnswer,
    takesKey: true,
  })
  async change(
    @Body({ schema: folderChange }) body: z.output<typeof folderChange>,
    @Param({ schema: idParam }) { id }: z.output<typeof idParam>,
    @Call() { cairn }: RestCall,
  ) {
    return written(cairn, await cairn.command('folder.configure', { folderId: id, ...body }));
  }
}
