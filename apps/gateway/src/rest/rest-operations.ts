import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { z } from 'zod';
import { accessOf, Described, type OperationOptions, type RouteAccess } from './operation.decorator.js';
import { FormFields } from './upload.interceptor.js';

/** A handler with everything that its decorators declare. */
export interface RestOperation extends OperationOptions {
  readonly access: RouteAccess;
  readonly method: string;
  /** With parameters in braces, as in OpenAPI. */
  readonly path: string;
  readonly params: z.ZodObject | undefined;
  readonly query: z.ZodObject | undefined;
  readonly body: z.ZodObject | undefined;
  readonly form: z.ZodObject | undefined;
}

const read = <T>(key: unknown, ...target: readonly [object] | readonly [object, string]): T | undefined =>
  Reflect.getMetadata(key, ...(target as [object])) as T | undefined;

type Arguments = Readonly<Record<string, { readonly schema?: z.ZodObject }>>;

const schemaOf = (parameters: Arguments, place: RouteParamtypes): z.ZodObject | undefined =>
  Object.entries(parameters).find(([key]) => key.startsWith(`${place}:`))?.[1].schema;

/** A colon begins a parameter; an escaped one is a colon. */
const asInOpenApi = (path: string): string =>
  path.replace(/(\\?):/g, (_, escape: string) => (escape ? ':' : '')).replace(/\/+$/, '');

const operationAt = (controller: Type, name: string): RestOperation[] => {
  const handler = (controller.prototype as Record<string, object>)[name]!;
  const options = read<OperationOptions>(Described.KEY, handler);
  if (!options) return [];
  const access = accessOf(controller, handler);
  if (!access) throw new Error(`${controller.name}.${name} does not state who may call it`);
  const parameters = read<Arguments>(ROUTE_ARGS_METADATA, controller, name) ?? {};
  const path = `${read<string>(PATH_METADATA, controller)}/${read<string>(PATH_METADATA, handler)}`;
  const operation = {
    ...options,
    access,
    method: RequestMethod[read<RequestMethod>(METHOD_METADATA, handler)!],
    path: asInOpenApi(path),
    params: schemaOf(parameters, RouteParamtypes.PARAM),
    query: schemaOf(parameters, RouteParamtypes.QUERY),
    body: schemaOf(parameters, RouteParamtypes.BODY),
    form: read<z.ZodObject>(FormFields.KEY, handler),
  };
  return [operation];
};

/** The operations of controllers, in source order. */
export const operationsOf = (controllers: readonly Type[]): RestOperation[] =>
  controllers.flatMap((controller) =>
    Object.getOwnPropertyNames(controller.prototype).flatMap((name) => operationAt(controller, name)),
  );
