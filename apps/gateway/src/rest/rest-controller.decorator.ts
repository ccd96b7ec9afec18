import { applyDecorators, Controller, UseGuards, UsePipes } from '@nestjs/common';
import { API_PREFIX } from './api-prefix.js';
import { IdempotencyKeyGuard } from './idempotency-key.guard.js';
import { Access, type RouteAccess } from './operation.decorator.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { ScopeGuard } from './scope.guard.js';
import { TokenGuard } from './token.guard.js';
import { ZodPipe } from './zod.pipe.js';

/**
 * A controller of the API: token, rate limit, scope and key are checked before the body is read. Its access is that of
 * every operation that does not state another. If they differ, it is the narrowest, so that a forgotten one stays closed.
 */
export const RestController = (path: string, { access }: { readonly access: RouteAccess }): ClassDecorator =>
  applyDecorators(
    Controller(`${API_PREFIX}/${path}`),
    Access(access),
    UseGuards(TokenGuard, RateLimitGuard, ScopeGuard, IdempotencyKeyGuard),
    UsePipes(ZodPipe),
  );
