import { SIGN_IN_CODE_CHARS_MAX, SIGN_IN_CODE_LIFE_MS, text } from '@cairn/contracts';
import { z } from 'zod';
import { SignedInAnswer, SignInCodeAnswer } from './answer.schema.js';
import { defineOpenRoute, defineRoute, type OpenRoute, type Route } from './route.js';

const MINUTES = SIGN_IN_CODE_LIFE_MS / 60_000;

export const SIGN_IN_CODE_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/sign-in-codes',
    access: 'admin',
    summary: 'Make a one-time code that signs in to the console with the token of this request',
    note: `The sign-in link is the address of the console followed by #code= and the code. The code works once, within ${MINUTES} minutes.`,
    body: z.strictObject({}),
    status: 201,
    takesNoKey: true,
    answer: SignInCodeAnswer,
    handle: (_, { mintSignInCode }) => mintSignInCode(),
  }),
];

export const SIGN_IN_ROUTES: readonly OpenRoute[] = [
  defineOpenRoute({
    method: 'POST',
    path: '/sign-in',
    access: 'anybody',
    summary: 'Exchange the one-time code of a sign-in link for its token',
    note: `Codes come from POST /sign-in-codes, and from the link that standalone prints when it starts. A code works once, within ${MINUTES} minutes. Any other code is 401 and counts as a failed authentication.`,
    body: z.strictObject({ code: text(1, SIGN_IN_CODE_CHARS_MAX) }),
    status: 200,
    answer: SignedInAnswer,
    handle: async ({ code }, { redeem }) => ({ token: await redeem(code) }),
  }),
];
