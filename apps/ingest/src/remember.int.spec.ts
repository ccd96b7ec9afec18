import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CONFIRMATION_LIFE_MS,
  CONFIRMATION_UNDO_MS,
  CONFIRMATIONS_PENDING_MAX,
  MEMORY_TEXT_CHARS_MAX,
  Notice,
  noticeSubject,
  type CommandData,
  type CommandResult,
  type Principal,
} from '@cairn/contracts';
import { systemClock, systemIds } from '@cairn/kernel';
import { JetStreamKeyStore, KeyRing, openMeta, openWaitingText, Vault } from '@cairn/vault';
import { longText } from './command-data.builder.js';
import { IngestUnderTest } from './ingest-under-test.harness.js';
import { OP_PROJECTIONS, rebuilt } from './rebuilt.harness.js';

let ingest: IngestUnderTest;
let admin: Principal;
let offsetMs = 0;

const rowsOf = async <R extends object>(sql: string, ...values: unknown[]): Promise<R[]> =>
  (await ingest.pool.query<R & Record<string, unknown>>(sql, values)).rows;

const addFolder = async (principal: Principal, slug: string, name: string): Promise<string> => {
  const folderId = systemIds.next();
  const more = { tier: 'personal' as const, maxTokensPerRecall: null, readme: '' };
  await ingest.command(principal, 'folder.create', { folderId, slug, name, ...more });
  return folderId;
};

const agentOf = (principal: Principal, agentId = 'agent-b'): Principal => ({
  ...principal,
  tokenId: systemIds.next(),
  agentId,
  scopes: ['memory:write'],
});

const remember = (more: Partial<CommandData<'item.remember'>> = {}, principal = agentOf(admin)) =>
  ingest.command(principal, 'item.remember', { text: 'Tulips want sun.', label: 'Tulips', kind: 'clip', ...more });

type Waiting = Extract<CommandResult<'item.remember'>, { outcome: 'waiting' }>;

const ask = async (name = 'Gardening', more: Partial<CommandData<'item.remember'>> = {}, principal?: Principal) => {
  const answer = await remember({ name, text: `A text of its own: ${systemIds.next()}`, ...more }, principal);
  expect(answer.outcome).toBe('waiting');
  return answer as Waiting;
};

const resolve = (
  confirmationId: string,
  decision: Omit<CommandData<'confirmation.resolve'>, 'confirmationId'>,
  id?: string,
  replica = ingest.replicas[0],
) => ingest.command(admin, 'confirmation.resolve', { confirmationId, ...decision }, id, replica);

const CLOSED = { code: 'confirmation.closed' };

beforeAll(async () => {
  ingest = await IngestUnderTest.start({ clock: { now: () => systemClock.now() + offsetMs } });
  admin = await ingest.workspace();
}, 60_000);
afterAll(() => ingest.stop());

describe('remembering', () => {
  it('[N-16] [N-20] [N-21] [N-23] stores in the named folder, with label and kind, in as many chunks as it reports', async () => {
    const folderId = await addFolder(admin, 'work', 'Work decisions');
    const answer = await remember({ name: 'work decisions', text: longText(3), kind: 'ai-conversation' });
    if (answer.outcome !== 'stored') throw new Error('not stored');
    const [row] = await rowsOf<{ meta: Buffer; chunk_count: number }>(
      'select folder_id, kind, confidence, source_kind, created_by_agent_id, in_kb, meta, chunk_count, position from library.items where id = $1',
      answer.itemId,
    );
    expect(row).toMatchObject({
      folder_id: folderId,
      kind: 'ai-conversation',
      confidence: 50,
      source_kind: 'agent',
      created_by_agent_id: 'agent-b',
      in_kb: true,
      chunk_count: answer.chunkCount,
      position: String(answer.position),
    });
    expect([answer.folder, answer.chunkCount > 1]).toEqual(['work', true]);
    const { item } = await ingest.vault.get(admin.workspaceId, answer.itemId);
    expect(openMeta(item, admin.workspaceId, answer.itemId, row!.meta)).toEqual({ title: 'Tulips', tags: [] });
  });

  it('[N-28] keeps a text under an unknown name only as waiting ciphertext', async () => {
    const before = await ingest.count('items', admin);
    const { confirmationId, reason, candidates } = await ask('Work dicisions', { text: 'zWaitingCanary' });
    expect([reason, candidates]).toEqual([
      'close',
      [{ name: 'Work decisions', slug: 'work', match: 'close spelling' }],
    ]);
    expect(await ingest.count('items', admin)).toBe(before);
    const [op] = await rowsOf<{ body: Buffer }>(
      `select body from archive.ops where type = 'confirmation.requested' order by position desc limit 1`,
    );
    const body = op!.body.toString();
    for (const text of ['zWaitingCanary', 'dicisions', 'Tulips']) expect(body).not.toContain(text);
    const { data } = JSON.parse(body);
    const { item } = await ingest.vault.get(admin.workspaceId, confirmationId);
    expect(openWaitingText(item, admin.workspaceId, confirmationId, Buffer.from(data.sealed, 'base64'))).toMatchObject({
      suggestedName: 'Work dicisions',
      label: 'Tulips',
      text: 'zWaitingCanary',
      candidates: [{ name: 'Work decisions', match: 'close spelling', score: expect.any(Number) }],
    });
  });

  it('asks once for the same text of the same agent, even if it is sent many times at once', async () => {
    const agent = agentOf(admin, 'agent-eager');
    const text = 'The same again and again.';
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask('Gardening', { text }, agent)));
    const again = await ask('Gardening', { text, label: 'Another label' }, agent);
    expect(new Set([...answers, again].map(({ confirmationId }) => confirmationId)).size).toBe(1);
    expect(again).toMatchObject({ reason: 'none', folders: ['Inbox', 'Work decisions'] });
  });

  it('takes the longest text, of the widest characters, through a decision and into a folder', async () => {
    const { confirmationId } = await ask('Gardening', { text: '😀'.repeat(MEMORY_TEXT_CHARS_MAX) });
    const { itemId } = await resolve(confirmationId, { action: 'create', name: 'Smiles' });
    const [row] = await rowsOf<{ n: number }>('select chunk_count as n from library.items where id = $1', itemId);
    expect(row!.n).toBeGreaterThan(1);
  });

  it('answers a repeated command as it did the first time', async () => {
    const [agent, id] = [agentOf(admin), systemIds.next()];
    for (const name of ['inbox', 'Unheard of']) {
      const [commandId, text] = [systemIds.next(), `${id} ${name}`];
      const send = () =>
        ingest.command(agent, 'item.remember', { text, label: 'l', kind: 'clip', name }, commandId) as Promise<any>;
      const [first, second] = [await send(), await send()];
      const pick = ({ outcome, itemId, confirmationId, folder, position }: any) => [
        outcome,
        itemId ?? confirmationId,
        folder,
        position,
      ];
      expect(pick(second)).toEqual(pick(first));
    }
  });

  it('sees a folder that was created at the same moment', async () => {
    const [, answer] = await Promise.all([addFolder(admin, 'herbs', 'Herbs'), remember({ name: 'Herbs' })]);
    expect(answer).toMatchObject({ outcome: 'stored', folder: 'herbs' });
  });
});

describe('a decision', () => {
  it('[N-33] stores the waiting text in the agent’s name, and destroys the key that sealed it while it waited', async () => {
    const folderId = await addFolder(admin, 'plants', 'Plants');
    const { confirmationId } = await ask('Plnts', { text: 'Roses want shade.', kind: 'ai-conversation' });
    const { itemId, position } = await resolve(confirmationId, { action: 'use', folderId });
    expect(
      await rowsOf('select folder_id, kind, created_by_agent_id from library.items where id = $1', itemId),
    ).toEqual([{ folder_id: folderId, kind: 'ai-conversation', created_by_agent_id: 'agent-b' }]);
    expect(await ingest.vault.find(admin.workspaceId, confirmationId)).toBeUndefined();
    expect(
      await rowsOf(
        'select sealed, wrapped_key, folder_id, item_id, resolved_position from library.confirmations where id = $1',
        confirmationId,
      ),
    ).toEqual([
      {
        sealed: null,
        wrapped_key: null,
        folder_id: folderId,
        item_id: itemId,
        resolved_position: String(position - 1),
      },
    ]);
  });

  it('[N-33] creates the folder and the item in one append', async () => {
    const { confirmationId } = await ask('Astronomy', { text: 'x' });
    const { folderId, itemId, position } = await resolve(confirmationId, { action: 'create' });
    const ops = await rowsOf<{ type: string }>(
      'select type from archive.ops where position between $1 and $2 order by position',
      position - 2,
      position,
    );
    expect(ops.map(({ type }) => type)).toEqual(['confirmation.resolved', 'folder.created', 'item.stored']);
    expect(await rowsOf('select slug, name, tier from library.folders where id = $1', folderId)).toEqual([
      { slug: 'astronomy', name: 'Astronomy', tier: 'personal' },
    ]);
    expect(await rowsOf('select folder_id from library.items where id = $1', itemId)).toEqual([
      { folder_id: folderId },
    ]);
  });

  it('by two people at once, on two processes, creates exactly one item', async () => {
    const second = await ingest.addReplica();
    const { confirmationId } = await ask();
    const before = await ingest.count('items', admin);
    const outcomes = await Promise.allSettled(
      [ingest.replicas[0], second, ingest.replicas[0], second].map((replica, i) =>
        resolve(confirmationId, { action: 'create', name: `Garden ${i}` }, undefined, replica),
      ),
    );
    await ingest.removeReplica(second);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(CLOSED);
    expect(await ingest.count('items', admin)).toBe(before + 1);
    expect(await rowsOf(`select id from library.folders where name like 'Garden %'`)).toHaveLength(1);
  });

  it('under the same idempotency key is answered as the first time', async () => {
    const [{ confirmationId }, id] = [await ask(), systemIds.next()];
    const first = await resolve(confirmationId, { action: 'create', name: 'Once' }, id);
    expect(await resolve(confirmationId, { action: 'create', name: 'Once' }, id)).toEqual(first);
    await expect(resolve(confirmationId, { action: 'dismiss' }, id)).rejects.toMatchObject({
      code: 'idempotency.key_reused',
    });
    await expect(resolve(confirmationId, { action: 'dismiss' })).rejects.toMatchObject(CLOSED);
  });

  it('is not possible for an unknown confirmation, nor from another workspace', async () => {
    const { confirmationId } = await ask();
    const stranger = await ingest.workspace();
    const data = { confirmationId, action: 'dismiss' as const };
    for (const attempt of [
      () => resolve(systemIds.next(), { action: 'dismiss' }),
      () => ingest.command(stranger, 'confirmation.resolve', data),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'confirmation.not_found' });
    }
  });
});

describe('discarding', () => {
  const rowOf = async (confirmationId: string) =>
    (
      await rowsOf<{ kept: boolean }>(
        `select sealed is not null and wrapped_key is not null as kept, restorable_until is not null as discarded,
         resolved_position is not null as resolved from library.confirmations where id = $1`,
        confirmationId,
      )
    )[0];
  const hasKey = async (confirmationId: string) =>
    (await ingest.vault.find(admin.workspaceId, confirmationId)) !== undefined;
  const sweep = () => ingest.replicas[0]!.sweeper.sweep();
  const [WAITS, DISCARDED, ERASED] = [
    { kept: true, discarded: false, resolved: false },
    { kept: true, discarded: true, resolved: false },
    { kept: false, discarded: false, resolved: true },
  ];

  it('keeps text and key until the time to undo it has passed, then destroys both', async () => {
    const { confirmationId } = await ask();
    expect(await resolve(confirmationId, { action: 'dismiss' })).toMatchObject({ itemId: null, folderId: null });
    await sweep();
    expect([await rowOf(confirmationId), await hasKey(confirmationId)]).toEqual([DISCARDED, true]);
    offsetMs += CONFIRMATION_UNDO_MS;
    await expect(resolve(confirmationId, { action: 'restore' })).rejects.toMatchObject(CLOSED);
    await sweep();
    expect([await rowOf(confirmationId), await hasKey(confirmationId)]).toEqual([ERASED, false]);
    const [op] = await rowsOf<{ body: Buffer }>(
      `select body from archive.ops where type = 'confirmation.resolved' order by position desc limit 1`,
    );
    expect(JSON.parse(op!.body.toString())).toMatchObject({ data: { action: 'dismiss' }, actor: { kind: 'system' } });
  });

  it('is undone by a restore: the memory waits again and can be stored', async () => {
    const { confirmationId } = await ask('Gardening', { text: 'Kept after all.' });
    await resolve(confirmationId, { action: 'dismiss' });
    await expect(resolve(confirmationId, { action: 'create' })).rejects.toMatchObject(CLOSED);
    await resolve(confirmationId, { action: 'restore' });
    await resolve(confirmationId, { action: 'restore' });
    offsetMs += CONFIRMATION_UNDO_MS;
    await sweep();
    expect([await rowOf(confirmationId), await hasKey(confirmationId)]).toEqual([WAITS, true]);
    const { itemId } = await resolve(confirmationId, { action: 'create', name: 'Kept' });
    expect(await rowsOf('select kind from library.items where id = $1', itemId)).toEqual([{ kind: 'clip' }]);
    expect(await hasKey(confirmationId)).toBe(false);
  });
});

describe('time', () => {
  it('expires a confirmation after a day: it cannot be decided, the log records that, and its key is gone', async () => {
    const { confirmationId } = await ask();
    offsetMs += CONFIRMATION_LIFE_MS + 1;
    await expect(resolve(confirmationId, { action: 'dismiss' })).rejects.toMatchObject(CLOSED);
    expect(await ingest.vault.find(admin.workspaceId, confirmationId)).toBeDefined();
    await ingest.replicas[0]!.sweeper.sweep();
    expect(await ingest.vault.find(admin.workspaceId, confirmationId)).toBeUndefined();
    const [op] = await rowsOf<{ body: Buffer }>(
      `select body from archive.ops where type = 'confirmation.resolved' order by position desc limit 1`,
    );
    expect(JSON.parse(op!.body.toString())).toMatchObject({ data: { action: 'expire' }, actor: { kind: 'system' } });
    const open = await rowsOf('select id from library.confirmations where sealed is not null');
    expect(open).toEqual([]);
  });

  it('destroys the key of a decision whose process died before it could', async () => {
    const { confirmationId } = await ask();
    const { item, chunks, wrapped } = await ingest.vault.get(admin.workspaceId, confirmationId);
    await resolve(confirmationId, { action: 'create', name: 'Of a process that died' });
    await ingest.vault.keep(admin.workspaceId, confirmationId, { item, chunks, wrapped });
    const fresh = await ingest.addReplica();
    await fresh.sweeper.sweep();
    await ingest.removeReplica(fresh);
    const eyes = new Vault(new KeyRing(ingest.config), await JetStreamKeyStore.open(ingest.nats));
    expect(await eyes.find(admin.workspaceId, confirmationId)).toBeUndefined();
  });
});

describe('many waiting memories', () => {
  it('are limited per agent, with an error that states the next step', async () => {
    const full = await ingest.workspace();
    const agent = agentOf(full);
    await Promise.all(Array.from({ length: CONFIRMATIONS_PENDING_MAX }, () => ask('Gardening', {}, agent)));
    await expect(remember({ name: 'Gardening', text: 'one more' }, agent)).rejects.toMatchObject({
      code: 'confirmation.too_many',
      details: { limit: CONFIRMATIONS_PENDING_MAX },
    });
  });
});

describe('notices', () => {
  it('report every change to every gateway, by ids only', async () => {
    const received: Notice[] = [];
    ingest.nats.subscribe(noticeSubject(admin.workspaceId), {
      callback: (_, message) => void received.push(Notice.parse(message.json())),
    });
    await ingest.nats.flush();
    const { confirmationId, position } = await ask();
    const { position: discarded } = await resolve(confirmationId, { action: 'dismiss' });
    const { position: restored } = await resolve(confirmationId, { action: 'restore' });
    const { itemId, position: last } = await resolve(confirmationId, { action: 'create', name: 'Notified' });
    await ingest.nats.flush();
    for (const wanted of [
      { about: 'confirmation', id: confirmationId, status: 'pending', position },
      { about: 'confirmation', id: confirmationId, status: 'discarded', position: discarded },
      { about: 'confirmation', id: confirmationId, status: 'pending', position: restored },
      { about: 'confirmation', id: confirmationId, status: 'resolved', position: last - 2 },
      { about: 'source', itemId, type: 'item.stored', position: last },
    ]) {
      expect(received).toContainEqual(wanted);
    }
  });
});

describe('a rebuild', () => {
  it('produces the same rows, although the keys of decided memories are gone', async () => {
    await ask();
    const [discarded, restored] = [await ask(), await ask()];
    for (const { confirmationId } of [discarded, restored]) await resolve(confirmationId, { action: 'dismiss' });
    await resolve(restored.confirmationId, { action: 'restore' });
    const { live, next } = await rebuilt(ingest.stores, OP_PROJECTIONS);
    expect(next).toEqual(live);
  });
});
