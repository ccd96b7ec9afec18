import { SIGN_IN_CODE_LIFE_MS } from '@cairn/contracts';
import { Body, Headers, Post } from '@nestjs/common';
import { z } from 'zod';
import { bearerOf } from '../auth/authenticator.js';
import { SignInCodes } from '../auth/sign-in-codes.js';
import { SignInCodeAnswer } from './answer.schema.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';

const nothing = z.strictObject({});

@RestController('sign-in-codes', { access: 'admin' })
export class SignInCodesController {
  constructor(private readonly codes: SignInCodes) {}

  @Post()
  @Operation({
    summary: 'Make a one-time code that signs in to the console with the token of this request',
    note: `The sign-in link is the address of the console followed by #code= and the code. The code works once, within ${SIGN_IN_CODE_LIFE_MS / 60_000} minutes.`,
    status: 201,
    answer: SignInCodeAnswer,
  })
  mint(@Body({ schema: nothing }) _: z.output<typeof nothing>, @Headers('authorization') authorization: string) {
    return this.codes.mint(bearerOf(authorization));
  }
}
