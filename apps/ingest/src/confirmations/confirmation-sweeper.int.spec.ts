import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock, systemIds } from '@cairn/kernel';
import { createLogger } from '@cairn/observability';
import { ALWAYS_OURS } from '@cairn/op-log';
import type { Vault } from '@cairn/vault';
import { IngestUnderTest } from '../ingest-under-test.harness.js';
import { ConfirmationSweeper } from './confirmation-sweeper.js';

describe('sweeping confirmations', () => {
  let ingest: IngestUnderTest;
  let position = 0;

  beforeAll(async () => {
    ingest = await IngestUnderTest.start();
    // This service runs a sweeper as well.
    await ingest.removeReplica(ingest.replicas[0]!);
  }, 60_000);
  afterAll(() => ingest.stop());

  const resolved = async (): Promise<string> => {
    const id = systemIds.next();
    await ingest.pool.query(
      `insert into library.confirmations (id, workspace_id, agent_id, reason, kind, payload_hash, expires_at, position,
         created_at, resolved_position)
       values ($1, $1, 'agent-a', 'none', 'clip', '', now(), $2, now(), $2)`,
      [id, ++position],
    );
    return id;
  };

  /** Sweeps as after a start, and returns the owners whose keys it destroys. */
  const sweep = async (failsFor?: string): Promise<string[]> => {
    const destroyed: string[] = [];
    const destroy = (_: string, id: string): Promise<void> => {
      if (id === failsFor) return Promise.reject(new Error('not this one'));
      return Promise.resolve(void destroyed.push(id));
    };
    await new ConfirmationSweeper({
      pool: ingest.pool,
      vault: { destroy } as unknown as Vault,
      clock: systemClock,
      logger: createLogger({ name: 'test', level: 'fatal', format: 'json' }),
      expire: () => Promise.resolve(),
      turn: ALWAYS_OURS,
    }).sweep();
    return destroyed;
  };

  it('destroys the keys of confirmations resolved since the last sweep, even after a restart', async () => {
    const first = [await resolved(), await resolved()];
    expect(await sweep()).toEqual(first);
    expect(await sweep()).toEqual([]);
    const next = await resolved();
    expect(await sweep()).toEqual([next]);
  });

  it('retries after a restart if a key could not be destroyed', async () => {
    const [done, stuck] = [await resolved(), await resolved()];
    expect(await sweep(stuck)).toEqual([done]);
    expect(await sweep()).toEqual([done, stuck]);
    expect(await sweep()).toEqual([]);
  });
});
