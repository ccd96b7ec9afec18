import { EventKind, EventTypeName, IsoTime, Uuid } from '@cairn/contracts';
import { z } from 'zod';
import { SERVER_INFO } from '../server-info.js';
import { OpAnswer, pageOf, ProjectionsAnswer, StatusAnswer } from './answer.schema.js';
import { idParam, pageFields } from './common.schema.js';
import { defineRoute, type Route } from './route.js';

const opFilter = z.strictObject({
  ...pageFields,
  kind: EventKind.optional().describe('The word that the specs have for it.'),
  type: EventTypeName.optional().describe('The name of the event.'),
  itemId: Uuid.optional(),
  from: IsoTime.optional().describe('To the millisecond, as ops are timed.'),
  to: IsoTime.optional().describe('To the millisecond, as ops are timed.'),
});

export const SYSTEM_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/ops',
    access: 'admin',
    summary: 'List the ops of the workspace, newest first',
    query: opFilter,
    status: 200,
    answer: pageOf(OpAnswer),
    handle: ({ query }, { cairn }) => cairn.query('ops.list', query),
  }),
  defineRoute({
    method: 'GET',
    path: '/ops/{id}',
    access: 'admin',
    summary: 'Get an op',
    params: idParam,
    status: 200,
    answer: OpAnswer,
    handle: ({ params }, { cairn }) => cairn.query('op.get', { opId: params.id }),
  }),
  defineRoute({
    method: 'GET',
    path: '/projections',
    access: 'admin',
    summary: 'Where each projection stands: checkpoint, head, lag in ops and seconds',
    status: 200,
    answer: ProjectionsAnswer,
    handle: (_, { cairn }) => cairn.query('projections.get', {}),
  }),
  defineRoute({
    method: 'GET',
    path: '/status',
    access: 'admin',
    summary: 'Components, versions, and what is degraded',
    status: 200,
    answer: StatusAnswer,
    handle: async (_, { cairn }) => {
      const { components, ...rest } = await cairn.query('status.get', {});
      const gateway = { name: 'gateway', ok: true, version: SERVER_INFO.version };
      return { components: [gateway, ...components], ...rest };
    },
  }),
];
