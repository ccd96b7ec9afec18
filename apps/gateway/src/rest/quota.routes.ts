import { QUOTA_LIMIT_MAX } from '@cairn/contracts';
import { z } from 'zod';
import { QuotasAnswer, QuotaSetAnswer } from './answer.schema.js';
import { defineRoute, type Route } from './route.js';

const newLimit = z.strictObject({
  limit: z.int().min(0).max(QUOTA_LIMIT_MAX).nullable().describe('null is no limit.'),
});

export const QUOTA_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/quotas',
    access: 'admin',
    summary: 'Get the quotas of the workspace and how much of each is used',
    status: 200,
    answer: QuotasAnswer,
    handle: (_, { cairn }) => cairn.query('quotas.get', {}),
  }),
  defineRoute({
    method: 'PUT',
    path: '/quotas/knowledge_stored',
    access: 'admin',
    summary: 'Set how many knowledge entries the workspace may store',
    note: 'A limit below what is stored takes nothing away: nothing more is stored until there is room.',
    body: newLimit,
    status: 200,
    answer: QuotaSetAnswer,
    handle: async ({ body }, { cairn }) => {
      const { position } = await cairn.command('quota.set', { name: 'knowledge_stored', ...body });
      return { ...(await cairn.query('quotas.get', {})).knowledge_stored, position };
    },
  }),
];
