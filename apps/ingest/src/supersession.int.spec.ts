import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SYNC_SUPERSEDED_MAX, type Principal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { itemData } from './command-data.builder.js';
import { IngestUnderTest } from './ingest-under-test.harness.js';
import { OP_PROJECTIONS, rebuilt } from './rebuilt.harness.js';

interface Row {
  readonly id: string;
  readonly by: string | null;
  readonly head: string | null;
}

let ingest: IngestUnderTest;
beforeAll(async () => {
  ingest = await IngestUnderTest.start();
}, 60_000);
afterAll(() => ingest.stop());

const rowsOf = async ({ workspaceId }: Principal): Promise<Map<string, Row>> => {
  const { rows } = await ingest.pool.query<Row>(
    'select id, superseded_by_id as by, superseded_head_id as head from library.items where workspace_id = $1',
    [workspaceId],
  );
  return new Map(rows.map((row) => [row.id, row]));
};

/** The end of the chain that starts at an entry; undefined for a circle. */
const endOf = (rows: ReadonlyMap<string, Row>, id: string): string | undefined => {
  const seen = new Set<string>();
  let at = id;
  for (let next = rows.get(at)!.by; next !== null; next = rows.get(at)!.by) {
    if (seen.has(at)) return undefined;
    seen.add(at);
    at = next;
  }
  return at;
};

const store = async (principal: Principal, count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async () => (await ingest.command(principal, 'item.store', itemData())).itemId),
  );

describe('concurrent supersessions', () => {
  it.each([1, 2])('[D-43] [D-44] stay free of circles and lead to the end of each chain, on %i replicas', async (n) => {
    while (ingest.replicas.length < n) await ingest.addReplica();
    const principal = await ingest.workspace();
    const ids = await store(principal, 12);
    const pick = (): string => ids[Math.floor(Math.random() * ids.length)]!;
    // Eight sequences in parallel, so groups follow each other while earlier ones are being projected.
    const line = async (replica: number): Promise<string[]> => {
      const refused: string[] = [];
      for (let i = 0; i < 12; i++) {
        const data = { oldId: pick(), newId: pick() };
        await ingest
          .command(principal, 'item.supersede', data, systemIds.next(), ingest.replicas[replica])
          .catch(({ code }: { code: string }) => refused.push(code));
      }
      return refused;
    };
    const refused = (await Promise.all(Array.from({ length: 8 }, (_, i) => line(i % n)))).flat();
    expect(refused.filter((code) => !['knowledge.cycle', 'oplog.conflict'].includes(code))).toEqual([]);
    const rows = await rowsOf(principal);
    for (const { id, by, head } of rows.values()) {
      const end = endOf(rows, id);
      expect(end).toBeDefined();
      expect(head).toBe(by === null ? null : end);
    }
  });

  it('[D-43] detects a circle that closes over links that are not projected yet', async () => {
    const principal = await ingest.workspace();
    for (let round = 0; round < 10; round++) {
      const [a, b, c, d] = (await store(principal, 4)) as [string, string, string, string];
      const pairs: [string, string][] = [
        [a, b],
        [b, c],
        [c, d],
        [d, a],
      ];
      const outcomes: Promise<unknown>[] = [];
      for (const [oldId, newId] of pairs) {
        outcomes.push(
          ingest.command(principal, 'item.supersede', { oldId, newId }).then(
            () => 'done',
            () => 'refused',
          ),
        );
        // One turn of the event loop later, it is a separate group.
        await new Promise((resolve) => setImmediate(resolve));
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect((await Promise.all(outcomes)).filter((outcome) => outcome === 'refused')).toHaveLength(1);
    }
    const rows = await rowsOf(principal);
    for (const { id, by, head } of rows.values()) expect(head).toBe(by === null ? null : endOf(rows, id));
  });
});

describe('the answer of a supersession', () => {
  it('names the end of the chain, or newId if the chain leads outside what the caller may see', async () => {
    const admin = await ingest.workspace();
    const folder = async () => {
      const [folderId, slug] = [systemIds.next(), `f-${systemIds.next()}`];
      const data = {
        folderId,
        slug,
        name: 'A folder',
        tier: 'personal' as const,
        maxTokensPerRecall: null,
        readme: '',
      };
      return (await ingest.command(admin, 'folder.create', data)).folderId;
    };
    const [own, other] = [await folder(), await folder()];
    const stored = async (folderId: string, inKb = true) =>
      (await ingest.command(admin, 'item.store', itemData({ folderId, inKb }))).itemId;
    const scoped: Principal = { ...admin, isUnscoped: false, folderIds: [own] };
    const answered = async (principal: Principal, oldId: string, newId: string) =>
      (await ingest.command(principal, 'item.supersede', { oldId, newId })).supersededById;
    const [old, older, middle, far] = [await stored(own), await stored(own), await stored(own), await stored(other)];
    expect(await answered(admin, middle, far)).toBe(far);
    expect(await answered(scoped, old, middle)).toBe(middle);
    expect(await answered(scoped, old, middle)).toBe(middle);
    expect(await answered(admin, older, middle)).toBe(far);
    expect((await rowsOf(admin)).get(old)!.head).toBe(far);
    const [last, next, outside] = [await stored(own), await stored(own), await stored(own, false)];
    expect(await answered(admin, next, outside)).toBe(outside);
    expect(await answered({ ...scoped, kbOnly: true }, last, next)).toBe(next);
    expect(await answered(scoped, last, next)).toBe(outside);
    // An agent sees nothing of a sensitive folder, not even with all scopes.
    await ingest.command(admin, 'folder.configure', { folderId: other, tier: 'sensitive' });
    expect(await answered(admin, older, middle)).toBe(middle);
  });
});

describe('the states of a document that has changed often', () => {
  it('lead to the newest one, live and rebuilt, whatever is forgotten of them', async () => {
    const principal = await ingest.workspace();
    const { accountId } = await ingest.command(principal, 'account.connect', {
      accountId: systemIds.next(),
      connectorId: 'folder',
      label: 'Plans',
      retention: 'full',
      hydrate: true,
      confirm: 'never',
      batchTokensMax: 4_000,
      settings: {},
      multiAccount: true,
    });
    const changed = async (n: number): Promise<string> => {
      const document = { ref: 'a.md', version: `${n}`, retention: 'full' as const, kind: 'file' as const };
      const data = { accountId, ...document, title: 'Plan', text: `Plan ${n}.` };
      return (await ingest.command(principal, 'item.sync', data)).itemId;
    };
    const ids: string[] = [];
    const change = async (times: number) => {
      for (let n = 0; n < times; n++) ids.push(await changed(ids.length));
    };
    const forget = (n: number) => ingest.command(principal, 'item.forget', { itemId: ids.at(n)!, surface: 'rest' });
    await change(2 * SYNC_SUPERSEDED_MAX);
    for (const n of [SYNC_SUPERSEDED_MAX, 40, 41, -1]) await forget(n);
    await change(SYNC_SUPERSEDED_MAX);
    for (const n of [39, SYNC_SUPERSEDED_MAX + 1, 0]) await forget(n);
    const rows = await rowsOf(principal);
    for (const { id, head } of rows.values()) {
      let end = head;
      while (end !== null && rows.get(end)!.head !== null) end = rows.get(end)!.head;
      expect(end ?? id).toBe(endOf(rows, id));
    }
    const { live, next } = await rebuilt(ingest.stores, OP_PROJECTIONS);
    expect(next).toEqual(live);
  }, 120_000);
});

describe('the window of a clientToken', () => {
  it('[D-14] ends 60 seconds after the first call, even if the entry is read back from the library', async () => {
    const principal = await ingest.workspace();
    const data = itemData({ clientToken: systemIds.next() });
    const first = await ingest.command(principal, 'item.store', data);
    const age = (seconds: number) =>
      ingest.pool.query(
        `update library.client_tokens set used_at = now() - make_interval(secs => $1) where token = $2`,
        [seconds, data.clientToken],
      );
    await age(55);
    expect(await ingest.command(principal, 'item.store', data)).toEqual(first);
    await age(60);
    const second = await ingest.command(principal, 'item.store', data);
    expect(second.itemId).not.toBe(first.itemId);
    expect(await ingest.command(principal, 'item.store', data)).toEqual(second);
    expect(await ingest.count('items', principal)).toBe(2);
  });
});
