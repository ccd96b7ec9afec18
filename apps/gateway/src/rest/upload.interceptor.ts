import { parseInput } from '@cairn/contracts';
import { formatOf } from '@cairn/documents';
import {
  applyDecorators,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { z } from 'zod';
import { isForm, readForm, type FormFile } from '../http/read-form.js';
import { UploadBudget } from '../http/upload-budget.js';
import { formValues } from './form-values.js';
import { requestOf, type RestRequest } from './rest-request.js';

/** The body of a request that was sent as a form. */
export class Upload<F extends z.ZodObject = z.ZodObject> {
  constructor(
    readonly fields: z.output<F>,
    readonly file: FormFile,
  ) {}
}

/** The form fields that a handler accepts. */
export const FormFields = Reflector.createDecorator<z.ZodObject>();

/** Reads a form of one file and some fields instead of a JSON body. All uploads share one memory budget. */
@Injectable()
export class UploadInterceptor implements NestInterceptor {
  private readonly budget = new UploadBudget();

  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = requestOf(context);
    if (!isForm(request)) return next.handle();
    return from(this.upload(request, this.reflector.get(FormFields, context.getHandler()), next));
  }

  private async upload(request: RestRequest, schema: z.ZodObject, next: CallHandler): Promise<unknown> {
    const held = this.budget.open();
    try {
      const isField = (name: string): boolean => Object.hasOwn(schema.shape, name);
      const form = await readForm(request, { isField, checkFileName: formatOf }, held);
      const fields = parseInput(schema, formValues(schema, form.fields));
      Object.defineProperty(request, 'body', { value: new Upload(fields, form.file) });
      return await lastValueFrom(next.handle());
    } finally {
      held.release();
    }
  }
}

/** The handler also accepts `multipart/form-data` with a file and these fields: its body is then an `Upload`. */
export const AcceptsUpload = (fields: z.ZodObject): MethodDecorator =>
  applyDecorators(FormFields(fields), UseInterceptors(UploadInterceptor));
