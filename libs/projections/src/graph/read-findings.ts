import { asAppError, fail, type Op, type TextOp } from '@cairn/contracts';
import type { Findings, FindingsExtractor } from '@cairn/extraction';
import { entityKey } from '@cairn/graph';
import { uuidV8, type AppError } from '@cairn/kernel';
import { edgeRef, openFindings, openName, type InstanceSecrets, type Vault } from '@cairn/vault';
import type { OpenedItem } from '../opened-item.js';
import type { EdgeRow, FindingsRows, MentionRow, MergeRow } from './findings-rows.js';

type OpOf<T extends Op['type']> = Extract<Op, { type: T }>;

/** The fields of a chunk that its rows need. */
interface StatedChunk {
  readonly workspace: string;
  readonly item: string;
  readonly chunk: string;
  readonly hash: Buffer;
  readonly key: Uint8Array;
  readonly origin: string;
  readonly position: number;
}

type StatedMention = Findings['mentions'][number];
/** The common part of findings of rules and findings that were sealed in an op. */
interface Stated {
  readonly mentions: readonly StatedMention[];
  readonly edges: readonly (Pick<
    Findings['edges'][number],
    'subject' | 'predicate' | 'object' | 'confidence' | 'sourceKind' | 'negated'
  > & { readonly validFrom?: string | undefined; readonly validTo?: string | undefined })[];
}

/** The name of an edge without a mention of its own: its type is unknown. */
const bareMention = (name: string, confidence: number): StatedMention => ({
  name,
  type: 'concept',
  typeConfidence: 0.1,
  confidence,
  start: null,
  end: null,
});

/** A function of one argument that answers a repeated argument from memory: texts and batches repeat their names. */
const remembered = <T>(compute: (of: string) => T): ((of: string) => T) => {
  const known = new Map<string, T>();
  return (of) => {
    if (!known.has(of)) known.set(of, compute(of));
    return known.get(of)!;
  };
};

type KeyOf = typeof entityKey;
type EntityId = (workspace: string) => (key: string) => string;

const entityIds = (secrets: InstanceSecrets): EntityId =>
  remembered((workspace) => remembered((key) => secrets.entityId(workspace, key)));

/** Every end of an edge is a mention. A name that a chunk repeats in the same form is one row, at its first place. */
const mentionRows = (of: StatedChunk, { mentions, edges }: Stated, keyOf: KeyOf): MentionRow[] => {
  const ends = edges.flatMap(({ subject, object, confidence }) =>
    [subject, object].map((name) => bareMention(name, confidence)),
  );
  const known = new Set(mentions.map(({ name }) => keyOf(name)));
  const all = [...mentions, ...ends.filter(({ name }) => !known.has(keyOf(name)))];
  const rows = new Map<string, MentionRow>();
  for (const { name, type, typeConfidence, confidence, start, end: stop } of all) {
    const key = keyOf(name);
    const form = `${key}|${name}|${type}`;
    if (key === undefined || rows.has(form)) continue;
    const { workspace, item, chunk, hash, origin, position } = of;
    const where = { workspace, item, chunk, hash, origin, position, ordinal: rows.size };
    rows.set(form, { ...where, key, surface: name, type, typeConfidence, confidence, start, stop });
  }
  return [...rows.values()];
};

const edgeRows = (of: StatedChunk, { edges }: Stated, keyOf: KeyOf): EdgeRow[] =>
  edges.flatMap(({ subject, predicate, object, validFrom = null, validTo = null, ...edge }, ordinal) => {
    const [subjectKey, objectKey] = [keyOf(subject), keyOf(object)];
    if (subjectKey === undefined || objectKey === undefined) return [];
    const ref = edgeRef(of.key, { subjectKey, predicate, objectKey });
    const { workspace, item, chunk, hash, origin, position } = of;
    const where = { workspace, item, chunk, hash, origin, position, ordinal };
    const { confidence, sourceKind, negated } = edge;
    const what = { subjectKey, predicate, objectKey, confidence, sourceKind, negated, validFrom, validTo };
    return [{ ...where, ...what, ref: Buffer.from(ref, 'hex'), id: uuidV8(ref) }];
  });

const rowsOf = (entityId: EntityId, of: StatedChunk, stated: Stated): FindingsRows => {
  const keyOf = remembered(entityKey);
  const mentions = mentionRows(of, stated, keyOf);
  const keys = new Set(mentions.map(({ key }) => key));
  const { workspace } = of;
  const entities = [...keys].map((key) => ({ workspace, key, id: entityId(workspace)(key) }));
  return { mentions, edges: edgeRows(of, stated, keyOf), entities };
};

const joined = (parts: readonly FindingsRows[]): FindingsRows => ({
  mentions: parts.flatMap(({ mentions }) => mentions),
  edges: parts.flatMap(({ edges }) => edges),
  entities: parts.flatMap(({ entities }) => entities),
});

interface OwnChunk {
  readonly op: TextOp;
  readonly meta: OpenedItem['meta'];
  readonly chunk: OpenedItem['chunks'][number];
}

/** A chunk that the extractor cannot read, by what finds it in the log. */
const located = (thrown: unknown, chunks: readonly OwnChunk[]): AppError => {
  const error = asAppError(thrown);
  const at = error.kind === 'defect' ? chunks[Number(error.details['index'])] : undefined;
  if (!at) return error;
  const message = `The graph cannot be read from chunk ${at.chunk.chunkId} at position ${at.op.position}.`;
  return fail('internal.defect', message, {}, error);
};

const isRead = ({ op }: OpenedItem): boolean => op.data.inKb;

/**
 * The findings of the rules in the texts of a batch, by the position of the op. All chunks go to the extractor
 * together.
 */
const extracted = async (
  extractor: FindingsExtractor,
  entityId: EntityId,
  opened: ReadonlyMap<number, OpenedItem>,
): Promise<ReadonlyMap<number, FindingsRows>> => {
  const items = [...opened.values()].filter(isRead);
  const chunks = items.flatMap(({ op, meta, chunks: own }) => own.map((chunk) => ({ op, meta, chunk })));
  if (chunks.length === 0) return new Map();
  const findings = await extractor
    .extract(chunks.map(({ meta, chunk }) => ({ title: meta.title || null, tags: meta.tags, text: chunk.plaintext })))
    .catch((thrown: unknown) => Promise.reject(located(thrown, chunks)));
  const parts = new Map<number, FindingsRows[]>(items.map(({ op }) => [op.position, []]));
  for (const [i, { op, chunk }] of chunks.entries())
    parts.get(op.position)!.push(rowsOf(entityId, statedChunk(op, chunk), findings[i]!));
  return new Map([...parts].map(([position, rows]) => [position, joined(rows)]));
};

const statedChunk = (op: TextOp, chunk: OpenedItem['chunks'][number]): StatedChunk => ({
  workspace: op.workspace,
  item: op.data.itemId,
  chunk: chunk.chunkId,
  hash: Buffer.from(chunk.textHash, 'hex'),
  key: chunk.key,
  origin: 'rules',
  position: op.position,
});

const chunkKey = async (
  vault: Vault,
  workspace: string,
  itemId: string,
  chunkId: string,
): Promise<Uint8Array | undefined> => (await vault.livingKeys(workspace, itemId))?.chunks.get(chunkId);

/** Statements of a person, an agent or a model; undefined if the chunk was forgotten since. */
const observed = async (
  vault: Vault,
  entityId: EntityId,
  { workspace, position, data }: OpOf<'edge.observed'>,
): Promise<FindingsRows | undefined> => {
  const { itemId: item, chunkId: chunk, textHash, origin, findings } = data;
  const key = await chunkKey(vault, workspace, item, chunk);
  if (!key) return undefined;
  const of = { workspace, item, chunk, hash: Buffer.from(textHash, 'hex'), key, origin, position };
  return rowsOf(entityId, of, openFindings(key, workspace, chunk, Buffer.from(findings, 'base64')));
};

/** The anchors of a merge whose chunks still exist. */
const mergeRows = async (
  vault: Vault,
  { workspace, position, data }: OpOf<'entity.merged'>,
): Promise<readonly MergeRow[]> => {
  const sides = (['alias', 'canonical'] as const).flatMap((side) => data[side].map((anchor) => ({ side, ...anchor })));
  const rows = await Promise.all(
    sides.map(async ({ side, itemId: item, chunkId: chunk, name: sealed }) => {
      const secret = await chunkKey(vault, workspace, item, chunk);
      if (!secret) return [];
      const name = openName(secret, workspace, chunk, Buffer.from(sealed, 'base64'));
      const key = entityKey(name);
      return key === undefined ? [] : [{ merge: data.mergeId, workspace, side, chunk, item, key, name, position }];
    }),
  );
  return rows.flat();
};

/** Everything that a batch states about the graph, decrypted and parsed, by the position of the op. */
export interface BatchFindings {
  readonly rows: ReadonlyMap<number, FindingsRows>;
  readonly merges: ReadonlyMap<number, readonly MergeRow[]>;
}

const NOTHING: BatchFindings = { rows: new Map(), merges: new Map() };

const concerns = (op: Op): boolean => op.type === 'edge.observed' || op.type === 'entity.merged';

/** Does all work that needs keys and time before a statement is sent. */
export const readFindings = async (
  vault: Vault,
  extractor: FindingsExtractor,
  ops: readonly Op[],
  opened: ReadonlyMap<number, OpenedItem>,
): Promise<BatchFindings> => {
  if (opened.size === 0 && !ops.some(concerns)) return NOTHING;
  const entityId = entityIds(await vault.secrets());
  const rows = new Map(await extracted(extractor, entityId, opened));
  const merges = new Map<number, readonly MergeRow[]>();
  for (const op of ops) {
    if (op.type === 'entity.merged') merges.set(op.position, await mergeRows(vault, op));
    const stated = op.type === 'edge.observed' ? await observed(vault, entityId, op) : undefined;
    if (stated) rows.set(op.position, stated);
  }
  return { rows, merges };
};
