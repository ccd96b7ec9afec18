import { describe, expect, it } from '@jest/globals';
import { adviceOn, ApiError, apiErrorOf, asApiError, messageAtField } from './api-error.js';

describe('an error of the server', () => {
  it('keeps its code, message and field', () => {
    const body = { error: { code: 'input.invalid', message: 'is too long', field: 'title' } };
    expect(apiErrorOf(400, body)).toMatchObject({
      status: 400,
      code: 'input.invalid',
      message: 'is too long',
      field: 'title',
    });
  });

  it('has a message even when the answer was not JSON', () => {
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
  ])('suggests the next step: %#', (error, word) => {
    expect(adviceOn(error)).toContain(word);
  });

  it.each([
    ['url', 'url must start with https://', 'Must start with https://'],
    ['settings.urls[1]', 'settings.urls[1] must be public', 'Line 2 must be public'],
    ['name', 'another server has this name', 'another server has this name'],
    [undefined, 'nothing fits', 'nothing fits'],
  ])("describes below the field %s what is wrong, without the field's name", (field, message, shown) => {
    expect(messageAtField(new ApiError(400, 'input.invalid', message, field))).toBe(shown);
  });
});
