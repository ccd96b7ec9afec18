import { defineRoute, type Route, type StreamedAnswer } from './route.js';

export const EVENT_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/events',
    access: 'admin',
    summary: 'Follow what happens in the workspace, as server-sent events',
    note: 'Events: confirmation {id, status}, source {itemId, type}, projection {items}; id is the position in the op-log. What is missed is not sent again: ask for the lists after a reconnect.',
    status: 200,
    isStream: true,
    handle: (_, { caller, cairn, events }): Promise<StreamedAnswer> => {
      const { workspaceId, tokenId } = caller.principal;
      return Promise.resolve((res) => events.serve(res, { workspaceId, tokenId, cairn }));
    },
  }),
];
