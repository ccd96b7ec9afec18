import { describe, expect, it } from '@jest/globals';
import { requestOf } from './call.js';

describe('requestOf', () => {
  it('puts the id into the path, encoded', () => {
    expect(requestOf('GET /items/{id}', { id: 'a/b' }).path).toBe('/api/v1/items/a%2Fb');
  });

  it('leaves out query fields that are empty or undefined', () => {
    const { path } = requestOf('GET /items', { query: { inKb: false, kind: '', cursor: undefined, limit: 5 } });
    expect(path).toBe('/api/v1/items?inKb=false&limit=5');
  });

  it('sends a body as JSON with its idempotency key', () => {
    const { init } = requestOf('POST /items', { body: { title: 't' }, idempotencyKey: 'k' });
    expect(init).toEqual({
      method: 'POST',
      body: '{"title":"t"}',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k' },
    });
  });

  it('leaves the content type of a form to the browser', () => {
    const form = new FormData();
    const { init } = requestOf('POST /items', { form });
    expect(init).toEqual({ method: 'POST', body: form, headers: {} });
  });
});
