import { describe, expect, it } from '@jest/globals';
import { adviceOn, ApiError, apiErrorOf, asApiError } from './api-error.js';

describe('an error of the server', () => {
  it('keeps its code, its words and its field', () => {
    const body = { error: { code: 'input.invalid', message: 'is too long', field: 'title' } };
    expect(apiErrorOf(400, body)).toMatchObject({
      status: 400,
      code: 'input.invalid',
      message: 'is too long',
      field: 'title',
    });
  });

  it('has words also when the answer was no JSON', () => {
    expect(apiErrorOf(502, undefined).message).toBe('the server answered 502');
    expect(asApiError(new TypeError('fetch failed'))).toMatchObject({ code: 'network' });
  });

  it.each([
    [new ApiError(0, 'network', ''), 'running'],
    [new ApiError(401, 'auth.invalid', ''), 'Sign in'],
    [new ApiError(404, 'route.not_found', ''), 'admin'],
    [new ApiError(404, 'item.not_found', ''), 'forgotten'],
    [new ApiError(409, 'x', ''), 'Reload'],
    [new ApiError(429, 'x', ''), 'wait'],
    [new ApiError(500, 'x', ''), 'System'],
    [new ApiError(400, 'x', ''), 'Change it'],
  ])('says what to do next: %#', (error, word) => {
    expect(adviceOn(error)).toContain(word);
  });
});
