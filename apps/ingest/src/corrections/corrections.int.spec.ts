import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CORRECTION_LIFE_MS,
  CORRECTIONS_BUCKET,
  type CommandData,
  type CommandResult,
  type Principal,
} from '@cairn/contracts';
import { FakeModelServer } from '@cairn/correction/testing';
import { systemIds } from '@cairn/kernel';
import { readSlot } from '@cairn/projections';
import { keyedHash, openText, sealVector } from '@cairn/vault';
import { Kvm } from '@nats-io/kv';
import { itemData, longText, tokenGrant } from '../command-data.builder.js';
import { IngestUnderTest, type Replica } from '../ingest-under-test.harness.js';
import { rebuilt } from '../rebuilt.harness.js';

const ENDPOINT = 'The API endpoint is /v1/search.';
const CHANGE = 'The endpoint changed from /v1/search to /v2/query in March 2025.';
const CORRECTED = 'The API endpoint is /v2/query.';

let nowMs = Date.parse('2027-01-01T12:00:00Z');
let ingest: IngestUnderTest;
let admin: Principal;
let inbox: string;

const rowsOf = async <R extends object>(sql: string, ...values: unknown[]): Promise<R[]> =>
  (await ingest.pool.query<R & Record<string, unknown>>(sql, values)).rows;

beforeAll(async () => {
  ingest = await IngestUnderTest.start({ clock: { now: () => nowMs } });
  admin = await ingest.workspace();
  inbox = (
    await rowsOf<{ id: string }>('select id from library.folders where workspace_id = $1', admin.workspaceId)
  )[0]!.id;
}, 60_000);
afterAll(() => ingest.stop());

const store = async (more: Partial<CommandData<'item.store'>> = {}) => {
  const { itemId, chunkIds } = await ingest.command(admin, 'item.store', itemData({ text: ENDPOINT, ...more }));
  return { itemId, chunkId: chunkIds[0]!, chunkIds };
};

/** Outside the knowledge base, nothing waits for a vector, and most of these tests are not about vectors. */
const storeOutside = () => store({ inKb: false });

const propose = (chunkId: string, instruction = CHANGE, who = admin, replica = ingest.replicas[0]!) =>
  ingest.propose(who, { chunkId, instruction }, replica);

const apply = (correctionId: string, who = admin, replica = ingest.replicas[0]!) =>
  ingest.command(who, 'chunk.correct', { correctionId }, systemIds.next(), replica);

const refusal = async (promise: Promise<unknown>): Promise<{ code: string; message: string }> =>
  promise.then(
    (answer) => ({ code: 'none', message: JSON.stringify(answer) }),
    (error: { code: string; message: string }) => error,
  );

const textOf = async (itemId: string, chunkId: string): Promise<string> => {
  const [row] = await rowsOf<{ text: Buffer }>('select text from library.bodies where chunk_id = $1', chunkId);
  const keys = await ingest.vault.get(admin.workspaceId, itemId);
  return openText(keys.chunks.get(chunkId)!, admin.workspaceId, chunkId, row!.text);
};

const opsOf = (itemId: string) =>
  rowsOf<{ op_id: string; type: string; body: Buffer }>(
    'select op_id, type, body from archive.ops where item_id = $1 order by position',
    itemId,
  );

const seen = ([row]: { words: string }[]): string => row?.words ?? '';
const words = async (chunkId: string): Promise<string> =>
  seen(await rowsOf('select words::text as words from library.chunks where id = $1', chunkId)) +
  seen(await rowsOf('select body as words from lexical.documents where chunk_id = $1', chunkId));

/** Publishes a vector as the embedder would. */
const embed = async (itemId: string, chunkId: string, text: string, position: number): Promise<void> => {
  const key = (await ingest.vault.get(admin.workspaceId, itemId)).chunks.get(chunkId)!;
  const vector = Float32Array.from({ length: 384 }, (_, i) => Math.cos(i + text.length));
  await ingest.vectors.publish({
    workspace: admin.workspaceId,
    itemId,
    chunkId,
    textHash: keyedHash(key, text),
    model: 'test',
    dims: 384,
    position,
    vector: sealVector(key, admin.workspaceId, chunkId, vector).toString('base64'),
  });
  const head = await ingest.vectors.head();
  while ((await readSlot(ingest.pool, 'vectors'))!.checkpoint.position < head);
};

const vectorsOf = async (itemId: string, chunkId: string, ...texts: string[]): Promise<string[]> => {
  const key = (await ingest.vault.get(admin.workspaceId, itemId)).chunks.get(chunkId)!;
  const hashes = (
    await rowsOf<{ hash: string }>(
      `select encode(text_hash, 'hex') as hash from vectors.embeddings where chunk_id = $1`,
      chunkId,
    )
  ).map(({ hash }) => hash);
  const known = texts.filter((text) => hashes.includes(keyedHash(key, text)));
  return hashes.length === known.length ? known : ['something else'];
};

describe('a proposal', () => {
  it('[N-38] [N-42] [N-45] [N-47] shows the corrected text, and until when it can be applied', async () => {
    const { chunkId } = await storeOutside();
    expect(await propose(chunkId)).toEqual({
      correctionId: expect.any(String),
      chunkId,
      originalText: ENDPOINT,
      proposedText: CORRECTED,
      expiresAt: new Date(nowMs + CORRECTION_LIFE_MS).toISOString(),
    });
  });

  it('[N-39] writes nothing to the op-log, and leaves the chunk as it is', async () => {
    const { itemId, chunkId } = await store();
    const before = [await ingest.log.head(), await words(chunkId)];
    await propose(chunkId);
    expect([await ingest.log.head(), await words(chunkId)]).toEqual(before);
    expect(await textOf(itemId, chunkId)).toBe(ENDPOINT);
  });

  it('waits sealed under the key of its chunk', async () => {
    const { itemId, chunkId } = await storeOutside();
    const { correctionId } = await propose(chunkId);
    const bucket = await new Kvm(ingest.nats).open(CORRECTIONS_BUCKET);
    const entry = await bucket.get(`${admin.workspaceId}.${correctionId}`);
    expect(entry!.string()).not.toContain('/v2/query');
    const { text } = entry!.json<{ text: string }>();
    const key = (await ingest.vault.get(admin.workspaceId, itemId)).chunks.get(chunkId)!;
    expect(openText(key, admin.workspaceId, chunkId, Buffer.from(text, 'base64'))).toBe(CORRECTED);
  });

  it('explains what the rules can do if none applies', async () => {
    const { chunkId } = await storeOutside();
    expect(await refusal(propose(chunkId, 'make it nicer'))).toMatchObject({
      code: 'correction.no_rule',
      message: expect.stringContaining('"replace A with B"'),
    });
  });

  it('[N-38] [N-45] [N-48] may be a text given by the caller, limited and applied like any other', async () => {
    const { itemId, chunkId } = await store();
    const give = (newText: string, who = admin) => ingest.propose(who, { chunkId, instruction: 'it moved', newText });
    const newText = 'The endpoints are /v2/query and /v2/find.';
    const proposed = await give(newText);
    expect(proposed).toMatchObject({
      originalText: ENDPOINT,
      proposedText: newText,
      expiresAt: new Date(nowMs + CORRECTION_LIFE_MS).toISOString(),
    });
    for (const [wrong, code] of [
      ['  ', 'correction.unusable'],
      [ENDPOINT, 'correction.unusable'],
      ['word '.repeat(500), 'correction.too_long'],
    ] as const)
      expect(await refusal(give(wrong))).toMatchObject({ code, details: { field: 'newText' } });
    await apply(proposed.correctionId);
    expect(await textOf(itemId, chunkId)).toBe(newText);
  });

  it('[N-40] is rejected for a chunk that the caller cannot see, as if it did not exist', async () => {
    const [{ chunkId: inside }, { chunkId: outside }, hidden] = [await store(), await storeOutside(), systemIds.next()];
    await ingest.command(admin, 'folder.create', {
      folderId: hidden,
      slug: `s-${hidden}`,
      name: 'S',
      tier: 'sensitive',
      maxTokensPerRecall: null,
      readme: '',
    });
    const { chunkId: sensitive } = await store({ folderId: hidden });
    const nothing = await refusal(propose(systemIds.next()));
    expect(nothing).toMatchObject({ code: 'chunk.not_found', details: { field: 'chunkId' } });
    const elsewhere = { ...admin, isUnscoped: false, folderIds: [systemIds.next()] };
    const stranger = await ingest.workspace();
    const cases: [string, Principal][] = [
      [sensitive, admin],
      [inside, elsewhere],
      [inside, { ...admin, isUnscoped: false, folderIds: [] }],
      [inside, stranger],
      [outside, { ...admin, kbOnly: true }],
    ];
    for (const [chunkId, who] of cases) expect(await refusal(propose(chunkId, CHANGE, who))).toEqual(nothing);
    expect(await propose(outside)).toMatchObject({ proposedText: CORRECTED });
  });
});

describe('applying a proposal', () => {
  it('[N-48] [N-52] [N-53] overwrites the text everywhere and keeps both texts in one op', async () => {
    const { itemId, chunkId } = await store();
    const tokens = () => rowsOf<{ n: string }>('select token_count as n from library.folders where id = $1', inbox);
    const before = Number((await tokens())[0]!.n);
    nowMs += 1_000;
    const { correctionId } = await propose(chunkId, 'replace /v1/search with /v2/quillfish/and/more');
    const answer = await apply(correctionId);
    const [, op] = await opsOf(itemId);
    expect(answer).toEqual({ chunkId, opId: op!.op_id, isEmbedded: false, position: expect.any(Number) });
    const { data } = JSON.parse(op!.body.toString());
    expect(data).toMatchObject({ chunkId, itemId, correctionId, folderId: inbox, inKb: true, ordinal: 0 });
    const key = (await ingest.vault.get(admin.workspaceId, itemId)).chunks.get(chunkId)!;
    const opened = [data.oldText, data.newText].map((sealed: string) =>
      openText(key, admin.workspaceId, chunkId, Buffer.from(sealed, 'base64')),
    );
    const corrected = 'The API endpoint is /v2/quillfish/and/more.';
    expect(opened).toEqual([ENDPOINT, corrected]);
    expect(await textOf(itemId, chunkId)).toBe(corrected);
    const found = await words(chunkId);
    expect([found.includes('quillfish'), found.includes('v1'), found.includes('title')]).toEqual([true, false, true]);
    const [item] = await rowsOf<{ updated_at: Date }>('select updated_at from library.items where id = $1', itemId);
    expect(item!.updated_at.getTime()).toBe(nowMs);
    const [chunk] = await rowsOf<{ tokens: number; body: number; hash: string }>(
      `select c.tokens, b.tokens as body, encode(c.text_hash, 'hex') as hash from library.chunks c
       join library.bodies b on b.chunk_id = c.id and b.text_hash = c.text_hash where c.id = $1`,
      chunkId,
    );
    expect(chunk).toEqual({ tokens: data.tokens, body: data.tokens, hash: keyedHash(key, corrected) });
    expect(Number((await tokens())[0]!.n)).toBe(
      before + data.tokens - JSON.parse((await opsOf(itemId))[0]!.body.toString()).data.chunks[0].tokens,
    );
  });

  it('[N-52] corrects one chunk of many, and gives the item its new text when it is indexed again', async () => {
    const { itemId, chunkIds } = await store({ text: longText(3), inKb: false });
    const [first, second] = chunkIds as [string, string];
    const before = await textOf(itemId, second);
    const { originalText, proposedText, correctionId } = await propose(second, 'replace store with harbour');
    expect(originalText).toBe(before);
    await apply(correctionId);
    await ingest.command(admin, 'item.update', { itemId, inKb: true });
    expect(await textOf(itemId, second)).toBe(proposedText);
    expect([(await words(first)).includes('harbour'), (await words(second)).includes('harbour')]).toEqual([
      false,
      true,
    ]);
    await ingest.command(admin, 'item.update', { itemId, title: 'Another title' });
    expect((await words(second)).includes('harbour')).toBe(true);
  });

  it('[N-45] [N-51] works until the end of the tenth minute, and not afterwards', async () => {
    const [one, another] = [await storeOutside(), await storeOutside()];
    const [early, late] = [await propose(one.chunkId), await propose(another.chunkId)];
    nowMs += CORRECTION_LIFE_MS - 1;
    expect(await apply(early.correctionId)).toMatchObject({ chunkId: one.chunkId });
    nowMs += 1;
    expect(await refusal(apply(late.correctionId))).toMatchObject({ code: 'correction.expired', kind: 'rule' });
    expect(await textOf(another.itemId, another.chunkId)).toBe(ENDPOINT);
    // At 10:01 it has expired, and an agent that applied it in time gets the same answer as before.
    nowMs += 1_000;
    expect(await refusal(apply(late.correctionId))).toMatchObject({ code: 'correction.expired' });
    expect(await apply(early.correctionId)).toMatchObject({ chunkId: one.chunkId });
  });

  it('twice returns the same answer without a second event, concurrently and after the proposal is gone', async () => {
    const { itemId, chunkId } = await storeOutside();
    const { correctionId } = await propose(chunkId);
    const answers = await Promise.all(Array.from({ length: 5 }, () => apply(correctionId)));
    expect(answers).toEqual(answers.map(() => answers[0]));
    await (await new Kvm(ingest.nats).open(CORRECTIONS_BUCKET)).purge(`${admin.workspaceId}.${correctionId}`);
    nowMs += 60 * CORRECTION_LIFE_MS;
    expect(await apply(correctionId)).toEqual(answers[0]);
    const sameAgent = { ...admin, tokenId: systemIds.next() };
    expect(await apply(correctionId, sameAgent)).toEqual(answers[0]);
    expect((await opsOf(itemId)).map(({ type }) => type)).toEqual(['item.stored', 'chunk.corrected']);
  });

  it('[N-49] is limited to the agent that requested it, in its workspace, while it may see the chunk', async () => {
    const { itemId, chunkId } = await storeOutside();
    const { correctionId } = await propose(chunkId);
    const nothing = await refusal(apply(systemIds.next()));
    expect(nothing).toMatchObject({ code: 'correction.not_found', details: { field: 'correctionId' } });
    const stranger = { ...(await ingest.workspace()), agentId: admin.agentId };
    const strangers = [
      { ...admin, agentId: 'agent-b' },
      stranger,
      { ...admin, isUnscoped: false, folderIds: [systemIds.next()] },
      { ...admin, kbOnly: true },
    ];
    for (const who of strangers) expect(await refusal(apply(correctionId, who))).toEqual(nothing);
    expect(await textOf(itemId, chunkId)).toBe(ENDPOINT);
    await apply(correctionId, { ...admin, tokenId: systemIds.next() });
    for (const who of strangers.slice(0, 2)) expect(await refusal(apply(correctionId, who))).toEqual(nothing);
    // The id of another command does not identify a correction.
    const commandId = systemIds.next();
    await ingest.command(admin, 'item.store', itemData(), commandId);
    expect(await refusal(apply(commandId))).toEqual(nothing);
  });

  it('is rejected if the text has changed meanwhile, and asks for a new proposal', async () => {
    const { itemId, chunkId } = await storeOutside();
    const [first, second] = [await propose(chunkId), await propose(chunkId, 'replace API with HTTP')];
    await apply(first.correctionId);
    expect(await refusal(apply(second.correctionId))).toMatchObject({
      code: 'correction.stale',
      message: expect.stringContaining('call correct again'),
    });
    const again = await propose(chunkId, 'replace API with HTTP');
    expect(again).toMatchObject({ originalText: CORRECTED, proposedText: 'The HTTP endpoint is /v2/query.' });
    await apply(again.correctionId);
    expect(await textOf(itemId, chunkId)).toBe('The HTTP endpoint is /v2/query.');
  });
});

describe('forgetting', () => {
  const forget = (chunkId: string) => ingest.command(admin, 'chunk.forget', { chunkId, surface: 'mcp' });

  it('also removes proposals, and corrections that were applied before', async () => {
    const { chunkIds } = await store({ text: longText(3), inKb: false });
    const [first, second] = chunkIds as [string, string];
    const applied = await propose(first, 'replace store with harbour');
    await apply(applied.correctionId);
    const waiting = await propose(second, 'replace store with harbour');
    await forget(first);
    await forget(second);
    expect(await refusal(apply(waiting.correctionId))).toMatchObject({ code: 'correction.not_found' });
    expect(await refusal(propose(second))).toMatchObject({ code: 'chunk.not_found' });
    expect(await refusal(apply(applied.correctionId))).toMatchObject({ code: 'correction.not_found' });
  });

  it('and correcting at the same moment take effect in one order or the other', async () => {
    const { itemId, chunkIds } = await store({ text: longText(3), inKb: false });
    const { correctionId } = await propose(chunkIds[0]!, 'replace store with harbour');
    const [corrected, forgotten] = await Promise.allSettled([apply(correctionId), forget(chunkIds[0]!)]);
    expect(forgotten).toMatchObject({ status: 'fulfilled' });
    expect(corrected.status === 'fulfilled' || corrected.reason.code === 'correction.not_found').toBe(true);
    expect(await rowsOf('select 1 from library.bodies where chunk_id = $1', chunkIds[0])).toEqual([]);
    expect(await rowsOf('select 1 from library.items where id = $1', itemId)).toHaveLength(1);
  });
});

describe('two replicas', () => {
  let replicas: readonly Replica[];
  beforeAll(async () => {
    replicas = [ingest.replicas[0]!, await ingest.addReplica()];
  });
  afterAll(() => ingest.removeReplica(replicas[1]!));

  it('apply exactly one of fifty corrections of one chunk, and each knows the proposals of the other', async () => {
    const { itemId, chunkId } = await storeOutside();
    const proposals: CommandResult<'chunk.propose'>[] = [];
    for (let i = 0; i < 50; i++)
      proposals.push(await propose(chunkId, `replace /v1/search with /v${i + 10}/query`, admin, replicas[i % 2]));
    const outcomes = await Promise.all(
      proposals.map(({ correctionId }, i) =>
        apply(correctionId, admin, replicas[(i + 1) % 2]).catch((error) => error.code),
      ),
    );
    const winners = outcomes.flatMap((outcome, i) => (typeof outcome === 'string' ? [] : [i]));
    expect(winners).toHaveLength(1);
    expect(new Set(outcomes.filter((outcome) => typeof outcome === 'string'))).toEqual(new Set(['correction.stale']));
    expect(await textOf(itemId, chunkId)).toBe(proposals[winners[0]!]!.proposedText);
    expect((await opsOf(itemId)).filter(({ type }) => type === 'chunk.corrected')).toHaveLength(1);
  });
});

describe('a model', () => {
  let server: FakeModelServer;
  let replica: Replica;
  beforeAll(async () => {
    server = await FakeModelServer.start();
    replica = await ingest.addReplica({ correction: { provider: 'ollama', url: server.url, model: 'm' } });
  });
  afterAll(async () => {
    await ingest.removeReplica(replica);
    await server.stop();
  });

  it('[N-44] proposes if it is configured, without a fallback while it is unavailable', async () => {
    const { chunkId } = await storeOutside();
    server.answer = 'The API endpoint is /v9/other.';
    expect(await propose(chunkId, CHANGE, admin, replica)).toMatchObject({ proposedText: server.answer });
    server.answer = (response) => void response.writeHead(500).end('SECRET');
    const given = { chunkId, instruction: CHANGE, newText: 'The API has no endpoint.' };
    expect(await ingest.propose(admin, given, replica)).toMatchObject({
      proposedText: given.newText,
    });
    const unavailable = await refusal(propose(chunkId, CHANGE, admin, replica));
    expect(unavailable).toMatchObject({ code: 'correction.unavailable', kind: 'unavailable' });
    expect(unavailable.message).not.toContain('SECRET');
    const dead = await ingest.addReplica({
      correction: { provider: 'openai', url: 'http://127.0.0.1:1', model: 'm' },
    });
    expect(await refusal(propose(chunkId, CHANGE, admin, dead))).toMatchObject({
      code: 'correction.unavailable',
      message: 'the correction model at CORRECTION_URL is not available: it cannot be reached',
    });
    await ingest.removeReplica(dead);
  });

  it('shows nothing of a chunk that is forgotten while it computes', async () => {
    const { itemId, chunkId } = await storeOutside();
    const answered = new Promise<() => void>((resolve) => {
      server.answer = (response) =>
        resolve(() => response.writeHead(200).end(JSON.stringify({ message: { content: 'anything' } })));
    });
    const waiting = refusal(propose(chunkId, CHANGE, admin, replica));
    const answer = await answered;
    await ingest.command(admin, 'item.forget', { itemId, surface: 'rest' });
    answer();
    expect(await waiting).toMatchObject({ code: 'chunk.not_found' });
  });

  it('does not block the commands of the workspace while it computes, and stops with the service', async () => {
    const { chunkId } = await storeOutside();
    const asked = new Promise<void>((resolve) => (server.answer = () => resolve()));
    const waiting = refusal(propose(chunkId, CHANGE, admin, replica));
    await asked;
    await ingest.command(admin, 'item.store', itemData({ inKb: false }), systemIds.next(), replica);
    replica.stop();
    expect(await waiting).toMatchObject({ code: 'correction.unavailable' });
  });
});

describe('vectors of corrected texts', () => {
  it('[N-50] [N-52] are reported as computed only when they are, and not while the embedder is unavailable', async () => {
    const { itemId, chunkId } = await store();
    await embed(itemId, chunkId, ENDPOINT, 1);
    const { correctionId } = await propose(chunkId);
    expect(await apply(correctionId)).toMatchObject({ isEmbedded: false });
    const pending = apply(correctionId);
    await embed(itemId, chunkId, CORRECTED, await ingest.log.head());
    expect(await pending).toMatchObject({ isEmbedded: true });
    expect(await vectorsOf(itemId, chunkId, ENDPOINT, CORRECTED)).toEqual([CORRECTED]);
  });

  it('of one chunk are reduced to the one of its last text, in whatever order they arrive', async () => {
    const { itemId, chunkId } = await store();
    await embed(itemId, chunkId, 'third', 30);
    await embed(itemId, chunkId, 'first', 10);
    await embed(itemId, chunkId, 'second', 20);
    expect(await vectorsOf(itemId, chunkId, 'first', 'second', 'third')).toEqual(['third']);
    // Back to an earlier text, within the time in which the broker drops duplicates.
    await embed(itemId, chunkId, 'first', 40);
    expect(await vectorsOf(itemId, chunkId, 'first', 'second', 'third')).toEqual(['first']);
    await embed(itemId, chunkId, 'first', 50);
    await embed(itemId, chunkId, 'second', 45);
    expect(await vectorsOf(itemId, chunkId, 'first', 'second', 'third')).toEqual(['first']);
  });
});

describe('replaying the log', () => {
  it('[N-53] produces the same rows, including corrections', async () => {
    await ingest.command(admin, 'token.issue', tokenGrant({ isUnscoped: true }));
    const { live, next } = await rebuilt(ingest.stores);
    expect(next).toEqual(live);
  });
});
