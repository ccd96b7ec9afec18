import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GENESIS_HASH, type DomainEvent, type StoredChunk } from '@cairn/contracts';
import { HashingEmbeddingModel } from '@cairn/embedding/testing';
import { systemIds } from '@cairn/kernel';
import type { NatsConnection } from '@cairn/messaging';
import { createLogger, createMetrics } from '@cairn/observability';
import { ensureStreams, JetStreamOpLog, VectorLog, type WorkspaceHead } from '@cairn/op-log';
import { TestNats } from '@cairn/testing';
import {
  createKek,
  JetStreamKeyStore,
  keyedHash,
  KeyRing,
  sealMeta,
  sealText,
  Vault,
  type ItemKeys,
} from '@cairn/vault';
import { EmbedWorker } from './embed-worker.js';

const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });
const MODEL = 'hashing-384+r2';

/** Remembers the texts that it was given. */
class ListeningModel extends HashingEmbeddingModel {
  readonly texts: string[] = [];

  override embed(text: string): Promise<Float32Array> {
    this.texts.push(text);
    return super.embed(text);
  }
}

let broker: TestNats;
let nats: NatsConnection;
let log: JetStreamOpLog;
let vectors: VectorLog;
let vault: Vault;
let model: ListeningModel;
let worker: EmbedWorker;

beforeAll(async () => {
  broker = await TestNats.start();
  nats = await broker.connect();
  await ensureStreams(nats);
  log = await JetStreamOpLog.open(nats);
  vectors = new VectorLog(nats);
  vault = new Vault(new KeyRing({ kek: createKek() }), await JetStreamKeyStore.create(nats, 1));
});
afterAll(() => broker.stop());
beforeEach(() => {
  model = new ListeningModel();
  const maker = { id: MODEL, model, recipe: 2 as const };
  worker = new EmbedWorker({ nats, vectors, vault, maker, logger, metrics: createMetrics(), retryMs: 1 });
  worker.start();
});
afterEach(() => worker.close());

/** A document in a workspace of its own, changed by ops. */
class Document {
  readonly workspaceId = systemIds.next();
  readonly itemId = systemIds.next();
  readonly keys: ItemKeys;
  readonly chunks: StoredChunk[];
  private head: WorkspaceHead = { position: 0, hash: GENESIS_HASH };

  constructor(texts: readonly string[]) {
    const ids = texts.map(() => systemIds.next());
    this.keys = vault.mint(this.workspaceId, this.itemId, ids);
    this.chunks = texts.map((text, ordinal) => this.chunk(ids[ordinal]!, ordinal, text));
  }

  private chunk(chunkId: string, ordinal: number, text: string): StoredChunk {
    const key = this.keys.chunks.get(chunkId)!;
    const sealed = sealText(key, this.workspaceId, chunkId, text).toString('base64');
    return { chunkId, ordinal, text: sealed, textHash: keyedHash(key, text), tokens: 1 };
  }

  private meta(title: string, format?: 'csv'): string {
    const meta = { title, tags: [], ...(format && { format }) };
    return sealMeta(this.keys.item, this.workspaceId, this.itemId, meta).toString('base64');
  }

  private shared(title: string, format?: 'csv') {
    const placed = { itemId: this.itemId, folderId: systemIds.next(), inKb: true, expiresAt: null };
    return { ...placed, meta: this.meta(title, format) };
  }

  private async append(...events: DomainEvent[]): Promise<number> {
    const actor = { kind: 'system' as const, tokenId: systemIds.next(), agentId: 'agent' };
    const common = { actor, at: new Date(0).toISOString(), commandId: systemIds.next(), correlationId: 'test' };
    const ops = events.map((event) => ({ ...common, id: systemIds.next(), event }));
    const outcome = await log.append(this.workspaceId, this.head, ops);
    if (outcome.kind !== 'appended') throw new Error(outcome.kind);
    this.head = outcome.ops.at(-1)!;
    return this.head.position;
  }

  /** The first op carries `first` chunks, a second one the rest. */
  async store(title: string, { first = this.chunks.length, format }: { first?: number; format?: 'csv' } = {}) {
    await vault.keep(this.workspaceId, this.itemId, this.keys);
    const item = {
      kind: 'knowledge' as const,
      sourceKind: 'agent' as const,
      createdByAgentId: 'agent',
      confidence: 80,
    };
    const shared = this.shared(title, format);
    const [head, rest] = [this.chunks.slice(0, first), this.chunks.slice(first)];
    return this.append(
      { type: 'item.stored', data: { ...shared, ...item, chunkCount: this.chunks.length, chunks: head } },
      ...(rest.length > 0 ? [{ type: 'item.extended' as const, data: { ...shared, chunks: rest } }] : []),
    );
  }

  retitle(title: string): Promise<number> {
    const placed = { ...this.shared(title), wasInKb: true, superseded: false };
    return this.append({ type: 'item.placed', data: { ...placed, chunks: this.chunks } });
  }

  correct(ordinal: number, text: string, title: string): Promise<number> {
    const before = this.chunks[ordinal]!;
    const { text: newText, ...after } = this.chunk(before.chunkId, ordinal, text);
    const old = { oldText: before.text, oldTextHash: before.textHash };
    const data = {
      ...this.shared(title),
      ...after,
      ...old,
      newText,
      correctionId: systemIds.next(),
      superseded: false,
    };
    return this.append({ type: 'chunk.corrected', data });
  }

  async forget(ordinal: number): Promise<number> {
    const { chunkId } = this.chunks[ordinal]!;
    const { itemId } = this;
    const data = { chunkId, itemId, folderId: systemIds.next(), receiptId: systemIds.next() };
    return this.append({ type: 'chunk.forgotten', data });
  }

  /** The vectors of an op, in the order of the chunks. */
  async madeAt(position: number, count: number): Promise<number[]> {
    for (;;) {
      const found = (await vectors.vectorsOf(this.workspaceId, this.itemId)).filter(
        ({ message }) => message.position === position && message.model === MODEL,
      );
      if (found.length < count) continue;
      const ordinals = found.map(({ message }) => this.chunks.findIndex(({ chunkId }) => chunkId === message.chunkId));
      return ordinals.sort();
    }
  }
}

const TEXTS = ['# Guide\n\n## Install\n\nOne.\n', 'Two.\n', '## Use\n\nThree.\n', 'Four.\n'];

describe('what is embedded of a text', () => {
  it('is its title, the headings above it and the text', async () => {
    const document = new Document(TEXTS);
    await document.madeAt(await document.store('Handbook'), 4);
    expect(model.texts.sort()).toEqual(
      [
        `Handbook\n${TEXTS[0]}`,
        'Handbook\nGuide > Install\nTwo.\n',
        `Handbook\nGuide\n${TEXTS[2]}`,
        'Handbook\nGuide > Use\nFour.\n',
      ].sort(),
    );
  });

  it('has the headings of the op before, if the op continues a document', async () => {
    const document = new Document(TEXTS);
    await document.madeAt(await document.store('Handbook', { first: 1 }), 3);
    expect(model.texts).toContain('Handbook\nGuide > Install\nTwo.\n');
    expect(model.texts).toContain('Handbook\nGuide > Use\nFour.\n');
  });

  it('has no headings in a format where a # means something else', async () => {
    const document = new Document(['# a,b\n1,2\n', '3,4\n']);
    await document.madeAt(await document.store('Table', { format: 'csv' }), 2);
    expect(model.texts.sort()).toEqual(['Table\n# a,b\n1,2\n', 'Table\n3,4\n']);
  });

  it('changes with the title', async () => {
    const document = new Document(['Two.\n']);
    await document.madeAt(await document.store('Old'), 1);
    expect(await document.madeAt(await document.retitle('New'), 1)).toEqual([0]);
    expect(model.texts).toEqual(['Old\nTwo.\n', 'New\nTwo.\n']);
  });

  it('changes below a corrected heading, and not above or beside it', async () => {
    const document = new Document(TEXTS);
    await document.madeAt(await document.store('Handbook'), 4);
    model.texts.length = 0;
    const position = await document.correct(2, '## Operate\n\nThree.\n', 'Handbook');
    expect(await document.madeAt(position, 2)).toEqual([2, 3]);
    expect(model.texts.sort()).toEqual([
      'Handbook\nGuide\n## Operate\n\nThree.\n',
      'Handbook\nGuide > Operate\nFour.\n',
    ]);
  });

  it('changes for no other text if a correction leaves the headings', async () => {
    const document = new Document(TEXTS);
    await document.madeAt(await document.store('Handbook'), 4);
    model.texts.length = 0;
    expect(await document.madeAt(await document.correct(2, '## Use\n\nFive.\n', 'Handbook'), 1)).toEqual([2]);
    const after = new Document(['later']);
    await after.madeAt(await after.store('x'), 1);
    expect(model.texts).toEqual(['Handbook\nGuide\n## Use\n\nFive.\n', 'x\nlater']);
  });

  it('loses the headings of a forgotten chunk, in the log of vectors too', async () => {
    const document = new Document(TEXTS);
    const stored = await document.store('Handbook');
    await document.madeAt(stored, 4);
    model.texts.length = 0;
    const position = await document.forget(0);
    expect(await document.madeAt(position, 3)).toEqual([1, 2, 3]);
    expect(model.texts.sort()).toEqual(['Handbook\n## Use\n\nThree.\n', 'Handbook\nTwo.\n', 'Handbook\nUse\nFour.\n']);
    // Waits for the end of the op.
    await worker.close();
    const left = await vectors.vectorsOf(document.workspaceId, document.itemId);
    // The vector of the forgotten chunk itself is erased with the chunk.
    expect(left.filter(({ message }) => message.position === stored).map(({ message }) => message.chunkId)).toEqual([
      document.chunks[0]!.chunkId,
    ]);
  });
});
