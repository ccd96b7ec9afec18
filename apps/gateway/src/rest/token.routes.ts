import { pageOf, TokenAnswer, TokenIssuedAnswer } from './answer.schema.js';
import { idParam, pageQuery } from './common.schema.js';
import { issueToken, newToken, SHOWN_ONCE } from './issue-token.js';
import { defineRoute, type Route } from './route.js';

export const TOKEN_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/tokens',
    access: 'admin',
    summary: 'Issue a token; the secret is shown once',
    note: SHOWN_ONCE,
    body: newToken,
    status: 201,
    answer: TokenIssuedAnswer,
    handle: ({ body }, context) => issueToken(body, context),
  }),
  defineRoute({
    method: 'GET',
    path: '/tokens',
    access: 'admin',
    summary: 'List the tokens of the workspace, without secrets',
    query: pageQuery,
    status: 200,
    answer: pageOf(TokenAnswer),
    handle: ({ query }, { cairn }) => cairn.query('tokens.list', query),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/tokens/{id}',
    access: 'admin',
    summary: 'Revoke a token; it is refused within two seconds',
    params: idParam,
    status: 204,
    handle: ({ params }, { cairn }) => cairn.command('token.revoke', { tokenId: params.id }),
  }),
];
