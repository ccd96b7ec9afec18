import type { ServerResponse } from 'node:http';
import type { Scope } from '@cairn/contracts';
import type { CairnPort } from '@cairn/mcp-tools';
import type { z } from 'zod';
import type { DocumentFile, ParsedDocument } from '@cairn/documents';
import type { NewSignInCode } from '../auth/sign-in-codes.js';
import type { Caller } from '../cairn/cairn-client.js';
import type { FormFile } from '../http/read-form.js';
import type { EventStreams } from './event-stream.js';

/** Who may call: a scope of the token, the first admin token of the installation, or anybody. */
export type RouteAccess = Scope | 'instance admin' | 'anybody';

export interface RouteContext {
  readonly caller: Caller;
  readonly cairn: CairnPort;
  /** Cairn as another principal, for the few routes that act beyond the caller's workspace. */
  readonly as: (principal: Caller['principal']) => CairnPort;
  /** A file as text. */
  readonly parse: (file: DocumentFile) => Promise<ParsedDocument>;
  readonly events: EventStreams;
  /** A one-time code for the token of this request. */
  readonly mintSignInCode: () => Promise<NewSignInCode>;
  /** An id for what this request creates; the same again when the request is repeated with its Idempotency-Key. */
  readonly newId: (purpose: string) => string;
  /** The request came with an Idempotency-Key, so it may be a repeat. */
  readonly mayBeRepeat: boolean;
}

/** What a route gives whose answer stays open: it writes the response itself, until the reader or the token is gone. */
export type StreamedAnswer = (res: ServerResponse) => Promise<void>;

type Shape = z.ZodObject | undefined;
type Parsed<S extends Shape> = S extends z.ZodObject ? z.output<S> : undefined;

export interface UploadDefinition<F extends z.ZodObject> {
  /** The fields beside `file`, once they have the types that their names ask for. */
  readonly fields: F;
  handle(input: { readonly fields: z.output<F>; readonly file: FormFile }, context: RouteContext): Promise<unknown>;
}

export const defineUpload = <F extends z.ZodObject>(definition: UploadDefinition<F>): UploadDefinition<z.ZodObject> =>
  definition;

export interface RouteDefinition<P extends Shape, Q extends Shape, B extends Shape> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below /api/v1, parameters in braces. */
  readonly path: string;
  readonly access: Exclude<RouteAccess, 'anybody'>;
  readonly summary: string;
  /** What the document says besides. */
  readonly note?: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** The same in another way: `multipart/form-data` with a file. A route without it takes JSON only. */
  readonly upload?: UploadDefinition<z.ZodObject>;
  readonly status: 200 | 201 | 204;
  readonly answer?: z.ZodType;
  /** Answers with server-sent events: `handle` gives a `StreamedAnswer`. */
  readonly isStream?: true;
  /** Appends nothing to the log, so an Idempotency-Key means nothing to it. */
  readonly takesNoKey?: true;
  handle(
    input: { readonly params: Parsed<P>; readonly query: Parsed<Q>; readonly body: Parsed<B> },
    context: RouteContext,
  ): Promise<unknown>;
}

/** A route as the table holds it: what is checked and what the OpenAPI document says come from the same values. */
export type Route = RouteDefinition<z.ZodObject, z.ZodObject, z.ZodObject>;

export const defineRoute = <P extends Shape = undefined, Q extends Shape = undefined, B extends Shape = undefined>(
  definition: RouteDefinition<P, Q, B>,
): Route => definition as unknown as Route;

/** What a route may do for somebody who has no token. */
export interface OpenContext {
  /** The token that a one-time code stands for; whatever else the code is, it is refused. */
  readonly redeem: (code: string) => Promise<string>;
}

/** A route without a caller: nothing of Cairn is in its reach but what its context names. */
export interface OpenRoute extends Omit<Route, 'access' | 'body' | 'handle'> {
  readonly access: 'anybody';
  readonly body: z.ZodObject;
  handle(body: unknown, context: OpenContext): unknown;
}

export type AnyRoute = Route | OpenRoute;

export const defineOpenRoute = <B extends z.ZodObject>(
  definition: Omit<OpenRoute, 'body' | 'handle'> & {
    readonly body: B;
    handle(body: z.output<B>, context: OpenContext): unknown;
  },
): OpenRoute => definition;
