import { randomBytes } from 'node:crypto';
import { constantTimeEqual } from '@cairn/auth';
import { SIGN_IN_CODE_LIFE_MS } from '@cairn/contracts';
import { systemClock, type Clock } from '@cairn/kernel';

const CODE_BYTES = 16;

/**
 * Stands for a token once, for a few minutes, in the memory of this process only. A wrong guess does not use it up, or
 * anybody could take it from its owner.
 */
export class SignInCode {
  /** Hex: a terminal takes all of it for part of the link. */
  readonly text = randomBytes(CODE_BYTES).toString('hex');
  private readonly expiresAtMs: number;
  private isUsed = false;

  constructor(
    private readonly token: string,
    private readonly clock: Clock = systemClock,
  ) {
    this.expiresAtMs = clock.now() + SIGN_IN_CODE_LIFE_MS;
  }

  /** The token; undefined for a wrong, used or expired code alike. */
  redeem(given: string): string | undefined {
    const isRight = constantTimeEqual(given, this.text);
    if (!isRight || this.isUsed || this.clock.now() >= this.expiresAtMs) return undefined;
    this.isUsed = true;
    return this.token;
  }
}
