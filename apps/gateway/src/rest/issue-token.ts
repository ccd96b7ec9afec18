import { grantFor, mintToken } from '@cairn/auth';
import { fail, restLimitOf, type NewToken } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { OperationOptions } from './operation.decorator.js';
import type { RestCall } from './rest-request.js';

export { NewToken as newToken } from '@cairn/contracts';

/** The description of a route that creates something with a secret. */
export const SHOWN_ONCE = {
  note:
    'Repeated with its Idempotency-Key it makes nothing new and answers 409 idempotency.key_reused, since the secret is ' +
    'not kept and cannot be shown again.',
  status: 201,
  takesKey: true,
} as const satisfies Partial<OperationOptions>;

/** A repeated request finds its token already issued; its secret was shown then and is not stored. */
export const secretWasShown = () =>
  fail(
    'idempotency.key_reused',
    'an earlier request with this Idempotency-Key has been answered; its secret is shown only once',
    { field: 'Idempotency-Key' },
  );

export const issueToken = async (body: NewToken, call: RestCall) => {
  const tokenId = uuidV7();
  const { token, secretHash } = mintToken(tokenId);
  const granted = grantFor({ ...body, agentId: body.agentId ?? call.newId('agent') });
  const result = await call.cairn.command('token.issue', { tokenId, secretHash, ...granted });
  if (result.tokenId !== tokenId) throw secretWasShown();
  return { id: tokenId, token, ...granted, restLimitPerHour: restLimitOf(granted), position: result.position };
};
