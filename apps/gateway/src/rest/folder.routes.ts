import {
  filled,
  folderChangeFields,
  NAME_CHARS_MAX,
  README_CHARS_MAX,
  Slug,
  someFolderChange,
  text,
  Tier,
  TOKENS_PER_RECALL_MAX,
} from '@cairn/contracts';
import type { CairnPort } from '@cairn/mcp-tools';
import { z } from 'zod';
import { FolderAnswer, FolderWrittenAnswer, pageOf } from './answer.schema.js';
import { idParam, pageQuery } from './common.schema.js';
import { defineRoute, type Route } from './route.js';

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

export const FOLDER_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/folders',
    access: 'admin',
    summary: 'Create a folder',
    body: newFolder,
    status: 201,
    answer: FolderWrittenAnswer,
    handle: async ({ body }, { cairn, newId }) =>
      written(cairn, await cairn.command('folder.create', { folderId: newId('folder'), ...body })),
  }),
  defineRoute({
    method: 'GET',
    path: '/folders',
    access: 'read',
    summary: 'List folders',
    query: pageQuery,
    status: 200,
    answer: pageOf(FolderAnswer),
    handle: ({ query }, { cairn }) => cairn.query('folders.list', { ...query, surface: 'rest' }),
  }),
  defineRoute({
    method: 'GET',
    path: '/folders/{id}',
    access: 'read',
    summary: 'Get a folder',
    params: idParam,
    status: 200,
    answer: FolderAnswer,
    handle: ({ params }, { cairn }) => cairn.query('folder.get', { folderId: params.id, surface: 'rest' }),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/folders/{id}',
    access: 'admin',
    summary: 'Rename a folder, change its tier, cap or readme',
    note: 'At least one field.',
    params: idParam,
    body: folderChange,
    status: 200,
    answer: FolderWrittenAnswer,
    handle: async ({ params, body }, { cairn }) =>
      written(cairn, await cairn.command('folder.configure', { folderId: params.id, ...body })),
  }),
];
