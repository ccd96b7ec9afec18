import { ForgottenAnswer, ReceiptAnswer, ReceiptKeyAnswer } from './answer.schema.js';
import { idParam } from './common.schema.js';
import { defineRoute, type Route } from './route.js';

const FOR_GOOD =
  'Cannot be undone. With the answer no reader finds it any more; its keys, messages and rows are gone within a minute, ' +
  'its last bytes on disk within a day. Also in sensitive folders. The receipt says how far it is.';

export const FORGET_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'DELETE',
    path: '/items/{id}',
    access: 'admin',
    summary: 'Forget an item and all its chunks for good',
    note: FOR_GOOD,
    params: idParam,
    status: 200,
    answer: ForgottenAnswer,
    handle: ({ params }, { cairn }) => cairn.command('item.forget', { itemId: params.id, surface: 'rest' }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/chunks/{id}',
    access: 'admin',
    summary: 'Forget one chunk of an item for good; with its last chunk the item goes too',
    note: FOR_GOOD,
    params: idParam,
    status: 200,
    answer: ForgottenAnswer,
    handle: ({ params }, { cairn }) => cairn.command('chunk.forget', { chunkId: params.id, surface: 'rest' }),
  }),
  // Before the receipts, whose path would match too.
  defineRoute({
    method: 'GET',
    path: '/receipts/key',
    access: 'read',
    summary: 'The public key that receipts are signed with',
    note: 'The signature is Ed25519 over the canonical JSON (RFC 8785) of the receipt without its signature.',
    status: 200,
    answer: ReceiptKeyAnswer,
    handle: (_, { cairn }) => cairn.query('receipt.key', {}),
  }),
  defineRoute({
    method: 'GET',
    path: '/receipts/{id}',
    access: 'admin',
    summary: 'How far a forgetting is, and its signed receipt once nothing is left',
    params: idParam,
    status: 200,
    answer: ReceiptAnswer,
    handle: ({ params }, { cairn }) => cairn.query('receipt.get', { receiptId: params.id }),
  }),
];
