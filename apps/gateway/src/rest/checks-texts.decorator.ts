import { UseGuards } from '@nestjs/common';
import { requestOf } from './rest-request.js';

/**
 * The handler checks the texts below these keys of the body itself, and reports a NUL character or a lone surrogate
 * there as a fault of that part. Elsewhere either of them refuses the whole body.
 */
export const ChecksTexts = (...keys: readonly string[]): MethodDecorator =>
  UseGuards({
    canActivate: (context) => {
      requestOf(context).textsCheckedIn = keys;
      return true;
    },
  });
