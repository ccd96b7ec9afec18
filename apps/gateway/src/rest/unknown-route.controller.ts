import { All, Controller, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { API_PREFIX } from './api-prefix.js';
import { PublishedRoutes } from './published-routes.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { TokenGuard } from './token.guard.js';

/** The last controller: a path that no other serves still needs a token first, and is counted. */
@Controller(API_PREFIX)
@UseGuards(TokenGuard, RateLimitGuard)
export class UnknownRouteController {
  constructor(private readonly routes: PublishedRoutes) {}

  @All('{*path}')
  refuse(@Req() request: Request): never {
    throw this.routes.refusal(request.path);
  }
}
