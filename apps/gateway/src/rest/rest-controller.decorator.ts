import { applyDecorators, Controller, UseGuards, UsePipes } from '@nestjs/common';
import { API_PREFIX } from './api-prefix.js';
import { IdempotencyKeyGuard } from './idempotency-key.guard.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { ScopeGuard } from './scope.guard.js';
import { TokenGuard } from './token.guard.js';
import { ZodPipe } from './zod.pipe.js';

/** A controller of the API: token, rate limit, scope and key are checked before the body is read. */
export const RestController = (path: string): ClassDecorator =>
  applyDecorators(
    Controller(`${API_PREFIX}/${path}`),
    UseGuards(TokenGuard, RateLimitGuard, ScopeGuard, IdempotencyKeyGuard),
    UsePipes(ZodPipe),
  );
