import { describe, expect, it } from '@jest/globals';
import { asAppError, fail, parseInput } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import { z } from 'zod';
import { rpcFailure, toolFailure } from './failure.js';

const refusal = (schema: z.ZodType, input: unknown): AppError => {
  try {
    parseInput(schema, input);
  } catch (thrown) {
    return asAppError(thrown);
  }
  throw new Error('the input was accepted');
};
const invalid = refusal(z.strictObject({ limit: z.int().max(20) }), { limit: 21 });

describe('toolFailure', () => {
  it('gives programs and people the same information, with field and limit', () => {
    const failure = toolFailure(invalid, 'c-1');
    expect(failure).toEqual({
      isError: true,
      structuredContent: {
        code: 'input.invalid',
        message: 'limit must be at most 20',
        retry: false,
        field: 'limit',
        limit: 20,
        correlationId: 'c-1',
      },
      content: [{ type: 'text', text: 'input.invalid: limit must be at most 20 [correlationId c-1]' }],
    });
  });

  it('asks the caller to try again when a service is unavailable', () => {
    expect(toolFailure(fail('busy', 'too many'), 'c').structuredContent).toMatchObject({ retry: true });
  });

  it('does not reveal the text of a foreign error', () => {
    const leaked = JSON.stringify(toolFailure(asAppError(new Error('password=hunter2')), 'c-2'));
    expect(leaked).not.toContain('hunter2');
    expect(leaked).toContain('c-2');
    expect(JSON.stringify(toolFailure(fail('internal.defect', 'row 7 of table x'), 'c'))).not.toContain('table x');
  });
});

describe('rpcFailure', () => {
  it('[G-30] [G-31] answers bad arguments with -32602 and the field’s name', () => {
    expect(rpcFailure(invalid, 'c-1')).toEqual({
      code: -32602,
      message: 'Invalid params: limit must be at most 20',
      data: { field: 'limit', limit: 20, correlationId: 'c-1' },
    });
  });

  it('[G-32] answers an embedding or RPC failure with -32603, a fixed text and the correlation id', () => {
    const failure = rpcFailure(fail('embedder.unavailable', 'connect ECONNREFUSED 10.0.0.7'), 'c-3');
    expect(failure).toMatchObject({ code: -32603, data: { correlationId: 'c-3' } });
    expect(JSON.stringify(failure)).not.toContain('10.0.0.7');
    expect(rpcFailure(asAppError(new Error('secret')), 'c')).toMatchObject({
      code: -32603,
      data: { correlationId: 'c' },
    });
  });

  it('[G-33] answers an exhausted hourly cap with -32605 and the integer retry_after_sec', () => {
    const limited = fail('rate_limited', 'this token may make 5 calls per hour', { limit: 5, retryAfterSec: 77 });
    expect(rpcFailure(limited, 'c')).toEqual({
      code: -32605,
      message: 'Rate limited: this token may make 5 calls per hour',
      data: { code: 'rate_limited', retry: true, limit: 5, retry_after_sec: 77, correlationId: 'c' },
    });
    expect(toolFailure(limited, 'c').structuredContent).toMatchObject({ code: 'rate_limited', retry_after_sec: 77 });
  });

  it('uses a tool result for failures that have no published code', () => {
    expect(rpcFailure(fail('scope.missing', 'needs read'), 'c')).toBeUndefined();
  });
});
