import type { IncomingMessage } from 'node:http';
import { fail, SIGN_IN_CODE_CHARS_MAX, SIGN_IN_CODE_LIFE_MS, text } from '@cairn/contracts';
import {
  Body,
  Controller,
  Injectable,
  Post,
  UseInterceptors,
  UsePipes,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { z } from 'zod';
import { Authenticator } from '../auth/authenticator.js';
import { ClientAddresses } from '../auth/client-address.js';
import { SignInCodes } from '../auth/sign-in-codes.js';
import { SignedInAnswer } from './answer.schema.js';
import { API_PREFIX } from './api-prefix.js';
import { Operation } from './operation.decorator.js';
import { requestOf } from './rest-request.js';
import { ZodPipe } from './zod.pipe.js';

const MINUTES = SIGN_IN_CODE_LIFE_MS / 60_000;
const SIGN_IN_PATH = `${API_PREFIX}/sign-in`;

const redemption = z.strictObject({ code: text(1, SIGN_IN_CODE_CHARS_MAX) });

/** True for the one route whose body is read although its sender is unknown. */
export const isSignIn = ({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean =>
  method === 'POST' && url.split('?', 1)[0] === SIGN_IN_PATH;

/** Any failure counts as a failed authentication, including a body that cannot be read. */
@Injectable()
export class AttemptInterceptor implements NestInterceptor {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly addresses: ClientAddresses,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const address = this.addresses.keyOf(requestOf(context));
    return from(this.authenticator.attempt<unknown>(address, () => lastValueFrom(next.handle())));
  }
}

/** For callers that have no token yet, so it has no guard. */
@Controller(SIGN_IN_PATH)
@UseInterceptors(AttemptInterceptor)
@UsePipes(ZodPipe)
export class SignInController {
  constructor(private readonly codes: SignInCodes) {}

  @Post()
  @Operation({
    access: 'anyone',
    summary: 'Exchange the one-time code of a sign-in link for its token',
    note: `Codes come from POST /sign-in-codes, and from the link that standalone prints when it starts. A code works once, within ${MINUTES} minutes. Any other code is 401 and counts as a failed authentication.`,
    answer: SignedInAnswer,
  })
  async signIn(@Body({ schema: redemption }) { code }: z.output<typeof redemption>) {
    const token = await this.codes.redeem(code);
    if (token === undefined) throw fail('auth.invalid', 'the sign-in code is not valid');
    return { token };
  }
}
