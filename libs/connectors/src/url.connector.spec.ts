import { describe, expect, it } from '@jest/globals';
import { urlConnector } from './url.connector.js';

const { check, list } = urlConnector(() => Promise.reject(new Error('nothing is fetched to check an account')));
const checked = (...urls: string[]): Promise<void> => check!({ urls });

describe('the list of web pages', () => {
  it('continues after any page, and starts again after one that is no longer listed', async () => {
    const urls = ['a', 'b', 'c'].map((name) => `https://example.com/${name}`);
    const after = async (ref?: string) => {
      const options = { limit: 2, signal: AbortSignal.timeout(1_000), ...(ref !== undefined && { after: ref }) };
      const entries = await list!({ id: 'a', settings: { urls }, credential: null }, options);
      return entries.map((entry) => entry.ref.at(-1));
    };
    expect(await after()).toEqual(['a', 'b']);
    expect(await after(urls[1])).toEqual(['c']);
    expect(await after(urls[2])).toEqual([]);
    expect(await after('https://example.com/gone')).toEqual(['a', 'b']);
  });
});

describe('the settings of web pages', () => {
  it('may list public https pages', async () => {
    await expect(checked('https://example.com/a', 'https://93.184.216.34/')).resolves.toBeUndefined();
  });

  it.each([
    ['https://127.0.0.1/', 'must lead to a public site'],
    ['https://[::1]/', 'must lead to a public site'],
    ['https://169.254.169.254/latest/meta-data', 'must lead to a public site'],
    ['http://example.com/', 'must start with https://'],
    ['example', 'must be a complete address'],
  ])("are refused for %s, and the error gives the page's place in the list", async (url, words) => {
    const field = 'settings.urls[1]';
    await expect(checked('https://example.com/', url)).rejects.toMatchObject({
      code: 'url.refused',
      message: expect.stringContaining(`${field} ${words}`),
      details: { field },
    });
  });
});
