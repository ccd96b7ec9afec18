import { describe, expect, it } from '@jest/globals';
import type { CommandData, QueryAnswer } from '@cairn/contracts';
import type { RestCall } from './rest-request.js';
import { reviewEdge } from './review-edge.js';

const EDGE = '0198c7a0-0000-7000-8000-000000000001';
const chunk = (n: number) => ({ itemId: `item ${n}`, chunkId: `chunk ${n}`, edgeRef: `ref ${n}` });

/** A call that answers `edge.locate` with these pages, and the commands that were sent under each key. */
const callWith = (pages: readonly QueryAnswer<'edge.locate'>[]) => {
  const sent: [key: string, chunks: string[]][] = [];
  const cairnOf = (key: string) => ({
    query: (_type: string, { after }: { after?: string }) =>
      Promise.resolve(pages[after === undefined ? 0 : Number(after)]!),
    command: (_type: string, { evidence, verdict, edgeId }: CommandData<'edge.review'>) => {
      sent.push([key, evidence.map(({ chunkId }) => chunkId)]);
      return Promise.resolve({ id: edgeId, verdict, position: sent.length });
    },
  });
  return { sent, call: { cairn: cairnOf('own'), part: cairnOf } as unknown as RestCall };
};

describe('the verdict on an edge', () => {
  it('is one command under the key of the request where one page holds its chunks', async () => {
    const { sent, call } = callWith([{ evidence: [chunk(1), chunk(2)] }]);
    expect(await reviewEdge(call, EDGE, 'rejected')).toEqual({ id: EDGE, verdict: 'rejected', position: 1 });
    expect(sent).toEqual([['own', ['chunk 1', 'chunk 2']]]);
  });

  it('is sent for every page of chunks, each under its own key', async () => {
    const { sent, call } = callWith([
      { evidence: [chunk(1)], next: '1' },
      { evidence: [chunk(2)], next: '2' },
      { evidence: [chunk(3)] },
    ]);
    expect((await reviewEdge(call, EDGE, 'rejected')).position).toBe(3);
    expect(sent.map(([, chunks]) => chunks)).toEqual([['chunk 1'], ['chunk 2'], ['chunk 3']]);
    expect(new Set(sent.map(([key]) => key)).size).toBe(3);
  });

  it('ends where the chunks of the next page are gone by now', async () => {
    const { sent, call } = callWith([{ evidence: [chunk(1)], next: '1' }, { evidence: [] }]);
    expect((await reviewEdge(call, EDGE, 'rejected')).position).toBe(1);
    expect(sent).toHaveLength(1);
  });
});
