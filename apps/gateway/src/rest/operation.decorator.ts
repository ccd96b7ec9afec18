import { applyDecorators, HttpCode, Query } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Reflector, type ReflectableDecorator } from '@nestjs/core';
import { z } from 'zod';
import type { Scope } from '@cairn/contracts';

/** Who may call: a token with this scope, the first admin token of the installation, or anyone without a token. */
export type RouteAccess = Scope | 'instance admin' | 'anyone';

export interface OperationOptions {
  /** Only where it differs from the access of the controller. */
  readonly access?: RouteAccess;
  readonly summary: string;
  /** Additional text for the OpenAPI document. */
  readonly note?: string;
  readonly status?: 200 | 201 | 204;
  /** The schema of the JSON answer. */
  readonly answer?: z.ZodType;
  /** Answers with server-sent events. */
  readonly isStream?: true;
  /** Appends to the log, so repeating the request with its Idempotency-Key has no further effect. */
  readonly takesKey?: true;
}

/** The metadata of a handler for guards and the OpenAPI document. A handler without it is open to no one. */
export const Described = Reflector.createDecorator<OperationOptions>();

/** Who may call those operations of a controller that do not state their own access. */
export const Access = Reflector.createDecorator<RouteAccess>();

const metadata = <T>({ KEY }: ReflectableDecorator<T>, target: object): T | undefined =>
  Reflect.getMetadata(KEY, target) as T | undefined;

/** Who may call a handler of a controller; undefined if no one may. */
export const accessOf = (controller: object, handler: object): RouteAccess | undefined => {
  const options = metadata(Described, handler);
  return options && (options.access ?? metadata(Access, controller));
};

const NO_PARAMETERS = z.strictObject({});

const takesQuery = (controller: object, name: string | symbol): boolean => {
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller.constructor, name) as object | undefined;
  return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
};

/** A handler without query parameters accepts none: an extra argument after its own checks and rejects them. */
const CheckQuery: MethodDecorator = (controller, name, descriptor) => {
  if (takesQuery(controller, name)) return;
  Query({ schema: NO_PARAMETERS })(controller, name, (descriptor.value as () => unknown).length);
};

/** Declares what a handler answers, how the OpenAPI document describes it, and who may call it. */
export const Operation = (options: OperationOptions): MethodDecorator =>
  applyDecorators(HttpCode(options.status ?? 200), CheckQuery, Described(options));
