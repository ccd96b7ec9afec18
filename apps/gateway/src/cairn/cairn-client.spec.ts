import { describe, expect, it } from '@jest/globals';
import {
  COMMANDS_IN_FLIGHT_PER_WORKSPACE,
  CORRECTIONS_IN_FLIGHT_PER_WORKSPACE,
  systemPrincipal,
} from '@cairn/contracts';
import { uuidV7, type AppError } from '@cairn/kernel';
import type { RequestContext } from '@cairn/messaging';
import { CairnClient, type Caller } from './cairn-client.js';
import { WrittenPositions } from './written-positions.js';

const callerIn = (workspaceId: string): Caller => ({
  principal: { ...systemPrincipal(workspaceId), tokenId: uuidV7() },
  rateLimitPerHour: null,
  correlationId: 'c-1',
});

const clientWith = (gate: Promise<void> = Promise.resolve()) => {
  const sent: RequestContext[] = [];
  let position = 0;
  const answer = async (_: unknown, __: unknown, context: RequestContext) => {
    sent.push(context);
    await gate;
    return { position: ++position };
  };
  const revoked = new Set<string>();
  const assertGood = (tokenId: string): void => {
    if (revoked.has(tokenId)) throw new Error('gone');
  };
  const client = new CairnClient({ command: answer, query: answer } as never, () => undefined, assertGood);
  return { client, sent, revoked };
};

const revoke = { tokenId: uuidV7() };

describe('CairnClient', () => {
  it('sends the caller and the correlation id, with a fresh id for each command', async () => {
    const { client, sent } = clientWith();
    const caller = callerIn(uuidV7());
    await client.as(caller).command('token.revoke', revoke);
    await client.as(caller).command('token.revoke', revoke);
    expect(sent[0]).toMatchObject({ principal: caller.principal, correlationId: 'c-1' });
    expect(sent[0]?.id).not.toBe(sent[1]?.id);
  });

  it('does nothing more for a token that was revoked during its request', async () => {
    const { client, sent, revoked } = clientWith();
    const caller = callerIn(uuidV7());
    revoked.add(caller.principal.tokenId);
    await expect(client.as(caller).command('token.revoke', revoke)).rejects.toThrow('gone');
    expect(sent).toEqual([]);
  });

  it('uses a given id as the command’s own', async () => {
    const { client, sent } = clientWith();
    const id = uuidV7();
    await client.as(callerIn(uuidV7()), id).command('token.revoke', revoke);
    expect(sent[0]?.id).toBe(id);
  });

  it('lets a token read what it has written', async () => {
    const { client, sent } = clientWith();
    const caller = callerIn(uuidV7());
    await client.as(caller).query('status.get', {});
    await client.as(caller).command('token.revoke', revoke);
    await client.as(caller).query('status.get', {});
    expect(sent.map((context) => context.atLeast)).toEqual([undefined, undefined, 2]);
  });

  describe('a read during which another gateway reports a write of the token', () => {
    const read = async (answers: readonly object[]) => {
      const caller = callerIn(uuidV7());
      const { tokenId } = caller.principal;
      const positions = new WrittenPositions();
      const asked: (number | undefined)[] = [];
      const query = (_: unknown, __: unknown, { atLeast }: RequestContext) => {
        positions.receive({ tokenId, position: 40 + asked.length });
        asked.push(atLeast);
        return Promise.resolve(answers[asked.length - 1]);
      };
      const client = new CairnClient({ query } as never, undefined, undefined, positions);
      return { answer: await client.as(caller).query('status.get', {}), asked };
    };

    it('is repeated once, with the position of the write', async () => {
      const [first, second] = [{ n: 1 }, { n: 2 }];
      expect(await read([first, second])).toEqual({ answer: second, asked: [undefined, 40] });
    });

    it('is not repeated if its answer says that it is stale', async () => {
      const stale = { stale: true };
      expect(await read([stale])).toEqual({ answer: stale, asked: [undefined] });
    });
  });

  it('has a separate limit for proposals of a slow model', async () => {
    let release = (): void => undefined;
    const { client } = clientWith(new Promise<void>((resolve) => (release = resolve)));
    const busy = client.as(callerIn(uuidV7()));
    const propose = () => busy.command('chunk.propose', { chunkId: uuidV7(), instruction: 'x' });
    const running = Array.from({ length: CORRECTIONS_IN_FLIGHT_PER_WORKSPACE }, propose);
    await expect(propose()).rejects.toMatchObject({ code: 'busy' });
    const others = busy.command('token.revoke', revoke);
    release();
    await Promise.all([...running, others]);
  });

  it('rejects calls of a workspace at its limit, and of no other workspace', async () => {
    let release = (): void => undefined;
    const { client } = clientWith(new Promise<void>((resolve) => (release = resolve)));
    const busy = client.as(callerIn(uuidV7()));
    const running = Array.from({ length: COMMANDS_IN_FLIGHT_PER_WORKSPACE }, () =>
      busy.command('token.revoke', revoke),
    );
    const refused = await busy.command('token.revoke', revoke).catch((error: AppError) => error);
    expect(refused).toMatchObject({ code: 'busy', details: { limit: COMMANDS_IN_FLIGHT_PER_WORKSPACE } });
    const others = [busy.query('status.get', {}), client.as(callerIn(uuidV7())).command('token.revoke', revoke)];
    release();
    await Promise.all([...running, ...others]);
    expect(await busy.command('token.revoke', revoke)).toHaveProperty('position');
  });
});
