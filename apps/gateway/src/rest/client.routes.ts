import { CLIENT_TEMPLATES, MCP_URL_PLACEHOLDER, TOKEN_PLACEHOLDER } from '@cairn/contracts';
import { ClientsAnswer } from './answer.schema.js';
import { defineRoute, type Route } from './route.js';

export const CLIENT_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/clients',
    access: 'admin',
    summary: 'How each MCP client is connected: what to paste, and where',
    note: `The texts have ${MCP_URL_PLACEHOLDER} where the address of /mcp belongs, and ${TOKEN_PLACEHOLDER} where the token does.`,
    status: 200,
    answer: ClientsAnswer,
    handle: () => Promise.resolve({ clients: CLIENT_TEMPLATES }),
  }),
];
