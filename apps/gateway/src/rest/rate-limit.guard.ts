import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { restCharges } from '../limits/charge.js';
import { RateLimiter } from '../limits/rate-limiter.js';
import { requestOf, required } from './rest-request.js';

/**
 * Counts the request, whatever its outcome. A write waits for the count here; a read waits when it has its answer
 * (`RestCall`).
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limits: RateLimiter) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = requestOf(context);
    const counted = this.limits.charge(restCharges(required(request, 'caller')));
    request.counted = counted;
    if (request.method !== 'GET') return counted.then(() => true);
    counted.catch(() => undefined);
    return true;
  }
}
