import { fail, Uuid } from '@cairn/contracts';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { CairnClient } from '../cairn/cairn-client.js';
import { requestOf, required, RestCall } from './rest-request.js';

const keyIn = (header: string | string[] | undefined): string | undefined => {
  if (header === undefined) return undefined;
  const parsed = Uuid.safeParse(header);
  if (parsed.success) return parsed.data;
  throw fail('input.invalid', 'Idempotency-Key must be a UUID', { field: 'Idempotency-Key' });
};

/** Opens the call that the handlers receive, under the key of the request. */
@Injectable()
export class IdempotencyKeyGuard implements CanActivate {
  constructor(private readonly cairn: CairnClient) {}

  canActivate(context: ExecutionContext): boolean {
    const request = requestOf(context);
    const key = keyIn(request.headers['idempotency-key']);
    request.call = new RestCall(this.cairn, required(request, 'caller'), required(request, 'counted'), key);
    return true;
  }
}
