import { fail } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import { routeNotFound } from './rest-error.js';

interface Route {
  readonly method: string;
  readonly path: string;
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]*')}$`);

/** The existing routes, for requests that no handler serves. */
export class PublishedRoutes {
  private readonly routes: readonly (Route & { readonly pattern: RegExp })[];

  constructor(routes: readonly Route[]) {
    this.routes = routes.map(({ method, path }) => ({ method, path, pattern: patternOf(path) }));
  }

  /** Why a path is not served: it does not exist, or only with other methods. */
  refusal(path: string): AppError {
    const methods = this.routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (methods.length === 0) return routeNotFound();
    const allowed = [...new Set(methods)].join(', ');
    return fail('route.method_not_allowed', `use ${allowed} here`, { allowed });
  }
}
