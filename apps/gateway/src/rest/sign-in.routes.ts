import { SIGN_IN_CODE_CHARS_MAX, SIGN_IN_CODE_LIFE_MS, text } from '@cairn/contracts';
import { z } from 'zod';
import { SignedInAnswer } from './answer.schema.js';
import { defineOpenRoute, type OpenRoute } from './route.js';

export const SIGN_IN_ROUTES: readonly OpenRoute[] = [
  defineOpenRoute({
    method: 'POST',
    path: '/sign-in',
    access: 'anybody',
    summary: 'Exchange the one-time code of a sign-in link for its token',
    note: `Standalone prints the link when it starts; the code is good once, for ${SIGN_IN_CODE_LIFE_MS / 60_000} minutes. Any other code is 401 and counts as a failed authentication.`,
    body: z.strictObject({ code: text(1, SIGN_IN_CODE_CHARS_MAX) }),
    status: 200,
    answer: SignedInAnswer,
    handle: ({ code }, { redeem }) => ({ token: redeem(code) }),
  }),
];
