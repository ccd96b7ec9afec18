import type { IncomingMessage } from 'node:http';
import { fail } from '@cairn/contracts';
import { CLIENT_ROUTES } from './client.routes.js';
import { CONFIRMATION_ROUTES } from './confirmation.routes.js';
import { EVENT_ROUTES } from './events.js';
import { FOLDER_ROUTES } from './folder.routes.js';
import { FORGET_ROUTES } from './forget.routes.js';
import { ITEM_ROUTES } from './item.routes.js';
import { QUOTA_ROUTES } from './quota.routes.js';
import type { AnyRoute, OpenRoute } from './route.js';
import { SIGN_IN_CODE_ROUTES, SIGN_IN_ROUTES } from './sign-in.routes.js';
import { SYSTEM_ROUTES } from './system.routes.js';
import { TOKEN_ROUTES } from './token.routes.js';
import { WHOAMI_ROUTES } from './whoami.routes.js';
import { WORKSPACE_ROUTES } from './workspace.routes.js';

export const API_PREFIX = '/api/v1';

export const ROUTES: readonly AnyRoute[] = [
  ...SIGN_IN_ROUTES,
  ...SIGN_IN_CODE_ROUTES,
  ...WHOAMI_ROUTES,
  ...WORKSPACE_ROUTES,
  ...FOLDER_ROUTES,
  ...TOKEN_ROUTES,
  ...CLIENT_ROUTES,
  ...ITEM_ROUTES,
  ...FORGET_ROUTES,
  ...QUOTA_ROUTES,
  ...CONFIRMATION_ROUTES,
  ...EVENT_ROUTES,
  ...SYSTEM_ROUTES,
];

export interface RouteMatch {
  readonly route: AnyRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** A path parameter is a single segment of the path; anything that cannot be decoded matches nothing. */
const paramsOf = (pattern: string, path: string): Record<string, string> | undefined => {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const segment = given[i] ?? '';
    if (part.startsWith('{')) params[part.slice(1, -1)] = segment;
    else if (part !== segment) return undefined;
  }
  return params;
};

/** Looked for before anybody is asked for a token; everything else, known or not, asks for one first. */
export const findOpenRoute = (method: string, path: string): OpenRoute | undefined =>
  SIGN_IN_ROUTES.find((route) => route.method === method && route.path === path);

/** Whether a request is for such a route: its body is read although its sender is not known. */
export const isOpenRoute = ({ method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean =>
  url.startsWith(API_PREFIX) && findOpenRoute(method, url.slice(API_PREFIX.length).split('?', 1)[0]!) !== undefined;

/** The route of a path below the prefix, or the reason why there is none. */
export const matchRoute = (method: string, path: string, routes: readonly AnyRoute[] = ROUTES): RouteMatch => {
  const matches = routes.flatMap((route) => {
    const params = paramsOf(route.path, path);
    return params ? [{ route, params }] : [];
  });
  const match = matches.find(({ route }) => route.method === method);
  if (match) return match;
  if (matches.length === 0) throw routeNotFound();
  const allowed = matches.map(({ route }) => route.method).join(', ');
  throw fail('route.method_not_allowed', `use ${allowed} here`, { allowed });
};

/** Also the answer to a route that the token may not use: out of scope is not found. */
export const routeNotFound = () => fail('route.not_found', 'there is nothing here');
