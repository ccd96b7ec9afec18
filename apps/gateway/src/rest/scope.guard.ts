import { hasScope, isWorkspaceAdmin, type Principal } from '@cairn/contracts';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { accessOf, type RouteAccess } from './operation.decorator.js';
import { PublishedRoutes } from './published-routes.js';
import { routeNotFound } from './rest-error.js';
import { requestOf, required, type RestRequest } from './rest-request.js';

const mayUse = (access: RouteAccess, principal: Principal): boolean => {
  if (access === 'anyone') return true;
  if (access === 'instance admin') return principal.instanceAdmin;
  return access === 'admin' ? isWorkspaceAdmin(principal) : hasScope(principal, access);
};

/** Exceeding the rate limit takes precedence over not found. */
const refuse = async ({ counted }: RestRequest): Promise<never> => {
  await counted;
  throw routeNotFound();
};

/** A route that the token may not use is not found, like one that does not exist. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly routes: PublishedRoutes) {}

  canActivate(context: ExecutionContext): boolean | Promise<never> {
    const request = requestOf(context);
    // Express answers HEAD with the handler of GET; no route of the API offers it.
    if (request.method === 'HEAD') throw this.routes.refusal(request.path);
    const access = accessOf(context.getClass(), context.getHandler());
    const isOpen = access !== undefined && mayUse(access, required(request, 'caller').principal);
    return isOpen || refuse(request);
  }
}
