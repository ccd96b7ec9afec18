import { describe, expect, it } from '@jest/globals';
import type { Api } from './api.js';
import { ApiError } from './api-error.js';
import { followEvents } from './follow-events.js';

const streamOf = (text: string) => new Blob([text]).stream();

/** An API that returns the given streams one after the other, and rejects after the last. */
const apiOf = (answers: (() => ReadableStream<Uint8Array>)[]) =>
  ({
    events: () => Promise.resolve().then(() => (answers.shift() ?? refuse)()),
  }) as unknown as Api;

const refuse = (): never => {
  throw new ApiError(404, 'route.not_found', 'not found');
};

const follow = async (api: Api): Promise<string[]> => {
  const seen: string[] = [];
  await followEvents(
    api,
    {
      onOpen: () => seen.push('open'),
      onEvent: ({ name, data }) => seen.push(`${name} ${data}`),
      onLost: () => seen.push('lost'),
      onRefused: () => seen.push('refused'),
    },
    new AbortController().signal,
  );
  return seen;
};

describe('following events', () => {
  it('reports events, and reconnects after the stream ends or fails', async () => {
    const unreachable = () => {
      throw new ApiError(0, 'network', 'the server cannot be reached');
    };
    const api = apiOf([() => streamOf('event: source\ndata: 1\n\n'), unreachable, () => streamOf('data: 2\n\n')]);
    expect(await follow(api)).toEqual(['open', 'source 1', 'lost', 'lost', 'open', 'message 2', 'lost', 'refused']);
  });

  it('stops when the token may not follow events', async () => {
    expect(await follow(apiOf([]))).toEqual(['refused']);
  });

  it('stops without an error when it is aborted', async () => {
    const ending = new AbortController();
    const seen: string[] = [];
    const listener = {
      onOpen: () => ending.abort(),
      onEvent: () => undefined,
      onLost: () => seen.push('lost'),
      onRefused: () => seen.push('refused'),
    };
    await followEvents(apiOf([() => streamOf('')]), listener, ending.signal);
    expect(seen).toEqual([]);
  });
});
