import { describe, expect, it } from '@jest/globals';
import { QUERY_TIMEOUT_MS } from '@cairn/contracts';
import { SearchTurns } from './search-turns.js';

const PLACES = 4;

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

/** A database whose statements run until the test ends them by name. */
const fakeDatabase = (places = PLACES) => {
  let now = 0;
  const turns = new SearchTurns(places, () => now);
  const running: string[] = [];
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (workspaceId: string, tokenId: string, name: string): Promise<void> =>
    turns.of({ workspaceId, tokenId })(async () => {
      running.push(name);
      started.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      running.splice(running.indexOf(name), 1);
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)!();
    await turnOfTheLoop();
  };
  return { ask, end, running, started, wait: (ms: number) => (now += ms) };
};

describe('the statements of searches', () => {
  it('of one workspace leave a place free for another', async () => {
    const { ask, running } = fakeDatabase(8);
    for (let i = 0; i < 64; i++) void ask('a', 't', `a${i}`);
    await turnOfTheLoop();
    expect(running).toHaveLength(7);
    void ask('b', 't', 'b');
    await turnOfTheLoop();
    expect(running).toContain('b');
  });

  it('have a total limit, and waiting workspaces take turns', async () => {
    const { ask, end, running, started } = fakeDatabase();
    for (const workspace of ['a', 'b', 'c']) for (let i = 1; i <= 5; i++) void ask(workspace, 't', `${workspace}${i}`);
    await turnOfTheLoop();
    expect(running).toHaveLength(PLACES);
    while (running.length > 0) await end(running[0]!);
    expect(started).toHaveLength(15);
    expect(started.indexOf('c1')).toBeLessThan(started.indexOf('a4'));
    expect(started.indexOf('c2')).toBeLessThan(started.indexOf('a5'));
  });

  it('of one workspace take turns by token', async () => {
    const { ask, end, running, started } = fakeDatabase();
    for (let i = 1; i <= 9; i++) void ask('a', 'busy', `busy${i}`);
    void ask('a', 'quiet', 'quiet');
    await turnOfTheLoop();
    await end(running[0]!);
    await end(running[0]!);
    expect(started.slice(0, 5)).toContain('quiet');
  });

  it('are not run once their caller has given up', async () => {
    const { ask, end, running, started, wait } = fakeDatabase();
    const first = ['a1', 'a2', 'a3'].map((name) => ask('a', 't', name));
    const late = ask('a', 't', 'late');
    await turnOfTheLoop();
    wait(QUERY_TIMEOUT_MS);
    const refused = expect(late).rejects.toMatchObject({ code: 'service.timeout' });
    for (const name of [...running]) await end(name);
    await Promise.all([refused, ...first]);
    expect(started).not.toContain('late');
  });

  it('free their place when they fail', async () => {
    const turns = new SearchTurns(PLACES).of({ workspaceId: 'a', tokenId: 't' });
    for (let i = 0; i < 2 * PLACES; i++)
      await expect(turns(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns(() => Promise.resolve('yes'))).toBe('yes');
  });
});
