import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { FolderReader } from '@cairn/access';
import { VECTOR_DIMENSIONS } from '@cairn/contracts';
import { SeededLibrary, TEST_MODEL } from '@cairn/projections/testing';
import { installRanking } from '@cairn/ranking';
import { PostgresLegs, type Proposal, type ProposalUse } from '@cairn/retrieval';
import { vectorCandidatesContract } from '@cairn/retrieval/testing';
import type { Pool } from 'pg';
import { PAGE_ROWS } from './block-loader.js';
import type { Held } from './resident-protocol.js';
import { ResidentVectors, type ResidentOptions } from './resident-vectors.js';

const QUIET = { warn: () => undefined };
const LIMIT = 20;

const random = (): Float32Array => Float32Array.from({ length: VECTOR_DIMENSIONS }, () => Math.random() - 0.5);

const until = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await new Promise((resolve) => setImmediate(resolve));
};

/** Asks until the vectors are in memory: the first question waits for a limited time. */
const loaded = async (resident: ResidentVectors, reader: FolderReader, vector = random()): Promise<Proposal> => {
  for (let i = 0; i < 50; i++) {
    const proposal = await resident.propose({ query: { model: TEST_MODEL, vector }, reader, limit: LIMIT });
    if (proposal) return proposal;
  }
  throw new Error('the vectors are not in memory');
};

vectorCandidatesContract('vectors in memory', (pool) => {
  const candidates = new ResidentVectors({ pool, budgetMb: 64, logger: QUIET });
  return {
    candidates,
    caughtUp: async (workspaceId) => {
      await candidates.dropAll();
      await loaded(candidates, { workspaceId, folderIds: null, seesSensitive: false });
    },
    close: () => candidates.close(),
  };
});

describe('vectors in memory', () => {
  let library: SeededLibrary;
  const opened: ResidentVectors[] = [];
  const open = (options: Partial<ResidentOptions> = {}): ResidentVectors => {
    const resident = new ResidentVectors({ pool: library.pool, budgetMb: 64, logger: QUIET, ...options });
    opened.push(resident);
    return resident;
  };
  beforeAll(async () => {
    library = await SeededLibrary.start();
    await installRanking(library.pool);
  }, 60_000);
  afterAll(() => library.stop());
  afterEach(() => Promise.all(opened.splice(0).map((resident) => resident.close())));

  const newWorkspace = async (count = 0) => {
    const workspaceId = await library.workspace();
    const folderId = await library.folder({ workspaceId });
    if (count > 0) await library.fill({ workspaceId, folderId }, count);
    const reader: FolderReader = { workspaceId, folderIds: null, seesSensitive: false };
    const item = async (vector: Float32Array): Promise<string> =>
      (await library.item({ workspaceId, folderId, chunks: [{ text: 'x', vector }] })).chunkIds[0]!;
    return { workspaceId, folderId, reader, item };
  };

  const proposes = ({ chunkIds }: Proposal, chunkId: string): boolean =>
    chunkIds.includes(Buffer.from(chunkId.replaceAll('-', ''), 'hex'));
  const ask = (resident: ResidentVectors, reader: FolderReader, vector = random()) =>
    resident.propose({ query: { model: TEST_MODEL, vector }, reader, limit: LIMIT });
  /** A search with this proposal, and what the database reports about it. */
  const used = async (proposal: Proposal, reader: FolderReader, vector: Float32Array): Promise<ProposalUse> => {
    const uses: ProposalUse[] = [];
    const onUsed = (use: ProposalUse) => {
      uses.push(use);
      proposal.onUsed(use);
    };
    const request = { reader, limit: LIMIT, proposal: { ...proposal, onUsed } };
    await new PostgresLegs(library.pool).vector({ model: TEST_MODEL, vector }, 100, request);
    return uses[0]!;
  };
  /** A pool whose reads of pages wait for `turn`, or fail with it. */
  const poolWith = (turn: () => Promise<unknown>): Pool => {
    const connect = async () => {
      const client = await library.pool.connect();
      const query = async (...values: unknown[]) => {
        const rows = await (client.query as (...given: unknown[]) => Promise<unknown>)(...values);
        await turn();
        return rows;
      };
      return { query, release: () => client.release() };
    };
    return { connect, query: library.pool.query.bind(library.pool) } as unknown as Pool;
  };

  it('are enough for the answer of an ordinary search, and report how many they are', async () => {
    let held: Held = { rows: 0, bytes: 0 };
    const resident = open({ onHeld: (now) => (held = now) });
    const { reader } = await newWorkspace(3 * PAGE_ROWS);
    const vector = random();
    const proposal = await loaded(resident, reader, vector);
    expect(await used(proposal, reader, vector)).toEqual({ behind: 0, wasShort: false });
    expect(held.rows).toBe(3 * PAGE_ROWS);
    expect(held.bytes).toBeGreaterThanOrEqual(held.rows * VECTOR_DIMENSIONS);
  });

  it('follow the database when they are too far behind', async () => {
    const resident = open();
    const { workspaceId, folderId, reader } = await newWorkspace(500);
    const vector = random();
    const { seq } = await loaded(resident, reader, vector);
    await library.fill({ workspaceId, folderId }, 300);
    const behind = await used((await ask(resident, reader, vector))!, reader, vector);
    expect(behind).toEqual({ behind: 300, wasShort: false });
    let now = await loaded(resident, reader, vector);
    while (now.seq === seq) now = await loaded(resident, reader, vector);
    while ((await used(now, reader, vector)).behind > 0) now = await loaded(resident, reader, vector);
    expect(now.seq).toBe(seq + 300);
  });

  it('lose forgotten chunks before the forgetting is answered', async () => {
    const resident = open();
    const { reader, item } = await newWorkspace(1_000);
    const vector = random();
    const chunkId = await item(vector);
    expect(proposes(await loaded(resident, reader, vector), chunkId)).toBe(true);
    await resident.forget([chunkId]);
    expect(proposes(await loaded(resident, reader, vector), chunkId)).toBe(false);
  });

  it('do not get a forgotten chunk back from a page that was read before', async () => {
    let forget: (() => Promise<void>) | undefined;
    const { reader, item } = await newWorkspace(100);
    const vector = random();
    const chunkId = await item(vector);
    const resident: ResidentVectors = open({
      pool: poolWith(async () => {
        await forget?.();
        forget = undefined;
      }),
    });
    forget = () => resident.forget([chunkId]);
    expect(proposes(await loaded(resident, reader, vector), chunkId)).toBe(false);
  });

  it('leave the answer to the database while they are loaded, for a limited time', async () => {
    let open_: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open_ = resolve));
    const resident = open({ pool: poolWith(() => gate) });
    const { reader } = await newWorkspace(100);
    expect(await ask(resident, reader)).toBeUndefined();
    open_();
    expect(await loaded(resident, reader)).toBeDefined();
  });

  it('leave the answer to the database while it cannot be read, and are loaded later', async () => {
    let nowMs = 0;
    let isDown = true;
    const warnings: unknown[] = [];
    const pool = poolWith(() => (isDown ? Promise.reject(new Error('connection lost')) : Promise.resolve()));
    const resident = open({ pool, nowMs: () => nowMs, logger: { warn: (entry: object) => warnings.push(entry) } });
    const { workspaceId, reader } = await newWorkspace(100);
    expect(await ask(resident, reader)).toBeUndefined();
    await until(() => warnings.length > 0);
    isDown = false;
    expect(await ask(resident, reader)).toBeUndefined();
    expect(warnings).toEqual([expect.objectContaining({ workspace: workspaceId })]);
    nowMs += 60_000;
    expect(await loaded(resident, reader)).toBeDefined();
  });

  it('stay usable if the database cannot be read again', async () => {
    let isDown = false;
    const pool = poolWith(() => (isDown ? Promise.reject(new Error('connection lost')) : Promise.resolve()));
    const resident = open({ pool });
    const { workspaceId, folderId, reader } = await newWorkspace(500);
    const vector = random();
    await loaded(resident, reader, vector);
    isDown = true;
    await library.fill({ workspaceId, folderId }, 300);
    for (let i = 0; i < 3; i++)
      expect(await used((await ask(resident, reader, vector))!, reader, vector)).toEqual({
        behind: 300,
        wasShort: false,
      });
  });

  const blockCount = (resident: ResidentVectors): number =>
    (resident as unknown as { blocks: Map<string, unknown> }).blocks.size;
  const setSlot = (change: string) =>
    library.pool.query(`update cairn.projections set ${change} where name = 'vectors'`);

  describe('beside a checkpoint', () => {
    beforeEach(() => library.checkpoint('vectors', 1_000_000));
    afterEach(() => library.pool.query(`delete from cairn.projections where name = 'vectors'`));

    it('are dropped if the database was set back', async () => {
      const resident = open();
      const { reader, item, workspaceId, folderId } = await newWorkspace(500);
      await item(random());
      const vector = random();
      await loaded(resident, reader, vector);
      await setSlot('position = 1');
      await library.fill({ workspaceId, folderId }, 300);
      await used((await ask(resident, reader, vector))!, reader, vector);
      await until(() => blockCount(resident) === 0);
      await setSlot('position = 1000000');
      expect(await used(await loaded(resident, reader, vector), reader, vector)).toEqual({
        behind: 0,
        wasShort: false,
      });
    });

    it('answer for the rows that exist, and include those that a rebuilt table holds again', async () => {
      let nowMs = 0;
      const resident = open({ nowMs: () => nowMs });
      const { workspaceId, folderId, reader, item } = await newWorkspace();
      const vector = random();
      const chunkId = await item(vector);
      await library.fill({ workspaceId, folderId }, 500);
      // As after a restore of part of the database: the checkpoint is beyond a row that is missing.
      await library.pool.query('create table kept as select * from vectors.embeddings where chunk_id = $1', [chunkId]);
      await library.pool.query('delete from vectors.embeddings where chunk_id = $1', [chunkId]);
      const proposal = await loaded(resident, reader, vector);
      expect(proposes(proposal, chunkId)).toBe(false);
      expect(await used(proposal, reader, vector)).toEqual({ behind: 0, wasShort: false });
      await library.pool.query('insert into vectors.embeddings select * from kept; drop table kept');
      await setSlot('version = 2');
      nowMs += 60_000;
      expect(await used((await ask(resident, reader, vector))!, reader, vector)).toMatchObject({ behind: 0 });
      await until(() => blockCount(resident) === 0);
      expect(proposes(await loaded(resident, reader, vector), chunkId)).toBe(true);
    });
  });

  it('are not held for a workspace that exceeds the budget, nor without a budget', async () => {
    const warnings: unknown[] = [];
    let oversized = 0;
    let nowMs = 0;
    const { reader, workspaceId } = await newWorkspace(3_000);
    const small = open({
      budgetMb: 1,
      logger: { warn: (entry: object) => warnings.push(entry) },
      onOversized: (count) => (oversized = count),
      nowMs: () => nowMs,
    });
    expect(await ask(small, reader)).toBeUndefined();
    await until(() => warnings.length > 0);
    expect(await ask(small, reader)).toBeUndefined();
    expect(warnings).toEqual([
      expect.objectContaining({
        err: expect.objectContaining({ message: expect.stringContaining('CAIRN_VECTORS_RESIDENT_MB (1)') }),
      }),
    ]);
    expect([oversized, small.oversizedWorkspaces]).toEqual([1, 1]);
    expect(await ask(open({ budgetMb: 0 }), reader)).toBeUndefined();
    await library.pool.query(
      `delete from library.chunks where workspace_id = $1 and id not in (
         select id from library.chunks where workspace_id = $1 limit 10)`,
      [workspaceId],
    );
    await library.pool.query('update library.folders set chunk_count = 10 where workspace_id = $1', [workspaceId]);
    nowMs += 60_000;
    await loaded(small, reader);
    expect([oversized, small.oversizedWorkspaces]).toEqual([0, 0]);
  });

  it('of the workspace that was not used for the longest time make room for others', async () => {
    let held: Held = { rows: 0, bytes: 0 };
    const resident = open({ budgetMb: 1, onHeld: (now) => (held = now) });
    const workspaces = [await newWorkspace(1_500), await newWorkspace(1_500), await newWorkspace(1_500)];
    for (const { reader } of workspaces) await loaded(resident, reader);
    expect(held.bytes).toBeLessThanOrEqual(1024 * 1024);
    expect(held.rows).toBe(1_500);
    expect(await ask(resident, workspaces[2]!.reader)).toBeDefined();
  });

  it('are loaded again after their thread has ended', async () => {
    const resident = open();
    const { reader } = await newWorkspace(100);
    await loaded(resident, reader);
    const { worker } = resident as unknown as { worker: { worker: { terminate(): Promise<unknown> } } };
    await worker.worker.terminate();
    expect(await loaded(resident, reader)).toBeDefined();
  });
});
