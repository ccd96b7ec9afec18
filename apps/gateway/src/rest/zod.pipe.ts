import { parseInput } from '@cairn/contracts';
import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { textValues } from './text-values.js';
import { Upload } from './upload.interceptor.js';

/** Validates a parameter of a handler with the schema in its decorator: `@Body({ schema })`, `@Query`, `@Param`. */
@Injectable()
export class ZodPipe implements PipeTransform {
  transform(value: unknown, { schema, type }: ArgumentMetadata): unknown {
    // An upload has been validated with the schema of its form.
    if (value instanceof Upload || !(schema instanceof z.ZodObject)) return value;
    return parseInput(schema, type === 'query' ? textValues(schema, value as Record<string, string>) : value);
  }
}
