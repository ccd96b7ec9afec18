import { uuidV7 } from '@cairn/kernel';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Authenticator } from '../auth/authenticator.js';
import { ClientAddresses } from '../auth/client-address.js';
import { requestOf } from './rest-request.js';

/** Every request needs a valid token, even for a route that does not exist. */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly addresses: ClientAddresses,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const correlationId = (request.correlationId = uuidV7());
    const address = this.addresses.keyOf(request);
    const token = await this.authenticator.authenticate(request.headers.authorization, address, correlationId);
    request.caller = { ...token, correlationId };
    return true;
  }
}
