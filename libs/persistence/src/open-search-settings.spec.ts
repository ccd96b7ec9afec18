import { describe, expect, it } from '@jest/globals';
import type { OpenSearchClient } from './open-search.js';
import { assertCreatesNothing, createsByItself } from './open-search-settings.js';

const clientWith = (body: object): OpenSearchClient =>
  ({ cluster: { getSettings: () => Promise.resolve({ body }) } }) as unknown as OpenSearchClient;
const clientThat = (statusCode?: number): OpenSearchClient =>
  ({ cluster: { getSettings: () => Promise.reject(Object.assign(new Error('x'), { statusCode })) } }) as never;
const check = (client: OpenSearchClient) => assertCreatesNothing(client, { url: 'http://search:9200' });
const setting = (value: string) => ({ 'action.auto_create_index': value });

describe('an OpenSearch that creates indexes by itself', () => {
  it.each([
    ['true', true],
    ['false', false],
    ['-chunks*,+*', false],
    ['+*,-chunks*', true],
    ['logs-*', false],
    ['-logs-*, *', true],
    ['chunks-v1', true],
    ['chunks.v1', false],
  ])('is recognised by its setting: %s', (value, creates) => {
    expect(createsByItself(value, 'chunks-v1')).toBe(creates);
  });

  it('is refused with a sentence that says what to set, and so is one without the setting', async () => {
    for (const settings of [{ defaults: setting('true') }, {}])
      await expect(check(clientWith(settings))).rejects.toMatchObject({
        code: 'lexical.unsuitable_server',
        message: expect.stringMatching(/^OpenSearch at search:9200 creates .*set `action\.auto_create_index: false`/),
      });
  });

  it('is judged by the value that counts: one set at runtime before one of the configuration', async () => {
    await check(clientWith({ persistent: setting('false'), defaults: setting('true') }));
    await expect(check(clientWith({ transient: setting('true'), defaults: setting('false') }))).rejects.toThrow();
  });

  it('is refused where the user may not read the setting, and waited for where it is unavailable', async () => {
    await expect(check(clientThat(403))).rejects.toMatchObject({ code: 'lexical.refused' });
    await check(clientThat());
  });
});
