import { notFound } from '@cairn/access';
import {
  droppingUnknown,
  EVENTS,
  nounOf,
  OpEnvelope,
  readableEvent,
  shownTitle,
  upcastData,
  type OpView,
  type Page,
  type Principal,
  type QueryData,
} from '@cairn/contracts';
import { readRows } from '@cairn/persistence';
import { FIRST_BODY_COLUMNS, joinFirstBody, type FirstBody } from '@cairn/ranking';
import { firstTextOf, type KeyOpener } from '@cairn/retrieval';
import { openMeta } from '@cairn/vault';
import type { Pool } from 'pg';
import type { z } from 'zod';
import { pageOf, POSITION_KEY, readCursor } from '../cursor.js';
import { FORGOTTEN, isErased, itemIdOf, openData, ownersOf, type LivingKeys } from './sealed-data.js';

interface OpRow {
  readonly position: string;
  readonly body: Buffer;
}

interface ReadOp {
  readonly position: string;
  readonly envelope: OpEnvelope;
  /** Only a newer version understands its data. */
  readonly isNewer: boolean;
}

export const LIST_OPS = `
select position, body
  from archive.ops
  where workspace_id = $1
    and ($2::text[] is null or type = any ($2))
    and ($3::uuid is null or item_id = $3)
    and ($4::timestamptz is null or at >= $4)
    and ($5::timestamptz is null or at <= $5)
    and ($6::bigint is null or position < $6)
  order by position desc
  limit $7`;

const GET_OP = 'select position, body from archive.ops where workspace_id = $1 and op_id = $2';

/** Excludes a discarded text: it is hidden at once, and shown again when it is restored. */
const LIVING_KEYS = `
select id, wrapped_key from library.items where id = any ($1::uuid[])
union all
select chunk_id, wrapped_key from library.bodies where chunk_id = any ($2::uuid[])
union all
select id, wrapped_key from library.confirmations
  where id = any ($1::uuid[]) and wrapped_key is not null and restorable_until is null
union all
select id, wrapped_key from library.accounts where id = any ($1::uuid[]) and wrapped_key is not null`;

const LIVING_ITEMS = `
select i.id, i.meta, i.wrapped_key, ${FIRST_BODY_COLUMNS}
  from library.items i
  ${joinFirstBody('i')}
  where i.workspace_id = $1 and i.id = any ($2::uuid[])`;

interface LivingItemRow extends FirstBody {
  readonly id: string;
  readonly meta: Buffer;
  readonly wrapped_key: Buffer;
}

/** Additional data for the ops of one answer, read for all of them at once. */
interface Surroundings {
  readonly keys: LivingKeys;
  /** Titles of the items that still exist. */
  readonly titles: ReadonlyMap<string, string>;
}

/** Shown in place of the data of an op that only a newer version understands: it may hold what no one may see. */
const NEWER = '<written by a newer version of Cairn>';

const newerOp = (position: string, envelope: OpEnvelope): ReadOp => {
  const itemId = itemIdOf(envelope);
  const data = { ...(itemId !== undefined && { itemId }), content: NEWER };
  return { position, envelope: { ...envelope, data }, isNewer: true };
};

const readOp = ({ position, body }: OpRow): ReadOp => {
  const envelope = droppingUnknown(OpEnvelope).parse(JSON.parse(body.toString()));
  if (isErased(envelope.data)) return { position, envelope, isNewer: false };
  const definition = readableEvent(envelope);
  if (!definition) return newerOp(position, envelope);
  const stored = upcastData(definition, envelope);
  // For the same reason, fields that this version does not know are left out.
  const data = droppingUnknown<z.ZodType>(definition.schema).safeParse(stored).data ?? stored;
  return { position, envelope: { ...envelope, data }, isNewer: false };
};

/** In the format that the database accepts for every time: it knows fewer offsets than ISO 8601 does. */
const utc = (time: string | undefined): string | null => (time === undefined ? null : new Date(time).toISOString());

/** The types that an answer may have: those of the given type and of the given kind; null means any. */
const typesOf = (type: string | undefined, kind: string | undefined): string[] | null => {
  if (type === undefined && kind === undefined) return null;
  return EVENTS.filter(
    (event) => (kind === undefined || event.kind === kind) && (type ?? event.type) === event.type,
  ).map((event) => event.type);
};

/** The op-log as an operator reads it: from the archive, newest first. */
export class OpReader {
  constructor(
    private readonly pool: Pool,
    private readonly vault: KeyOpener,
  ) {}

  async list({ workspaceId }: Principal, query: QueryData<'ops.list'>): Promise<Page<OpView>> {
    const before = readCursor(query.cursor, POSITION_KEY);
    const filters = [typesOf(query.type, query.kind), query.itemId ?? null, utc(query.from), utc(query.to)];
    const values = [workspaceId, ...filters, before, query.limit + 1];
    const ops = (await readRows<OpRow>(this.pool, LIST_OPS, values)).map(readOp);
    const around = await this.around(workspaceId, ops.slice(0, query.limit));
    return pageOf(
      ops,
      query.limit,
      ({ position }) => position,
      (op) => this.view(op, around),
    );
  }

  async get({ workspaceId }: Principal, { opId }: QueryData<'op.get'>): Promise<OpView> {
    const [row] = await readRows<OpRow>(this.pool, GET_OP, [workspaceId, opId]);
    if (!row) throw notFound('op');
    const op = readOp(row);
    return this.view(op, await this.around(workspaceId, [op]));
  }

  private async around(workspaceId: string, ops: readonly ReadOp[]): Promise<Surroundings> {
    const [keys, titles] = await Promise.all([this.keysFor(ops), this.titlesFor(workspaceId, ops)]);
    return { keys, titles };
  }

  private async titlesFor(workspaceId: string, ops: readonly ReadOp[]): Promise<ReadonlyMap<string, string>> {
    const ids = new Set(ops.flatMap(({ envelope }) => itemIdOf(envelope) ?? []));
    if (ids.size === 0) return new Map();
    const rows = await readRows<LivingItemRow>(this.pool, LIVING_ITEMS, [workspaceId, [...ids]]);
    return new Map(
      rows.map((row) => {
        const key = this.vault.unwrap(workspaceId, row.id, row.wrapped_key);
        const { title } = openMeta(key, workspaceId, row.id, row.meta);
        return [row.id, shownTitle(title, () => firstTextOf(this.vault, workspaceId, row))];
      }),
    );
  }

  private async keysFor(ops: readonly ReadOp[]): Promise<LivingKeys> {
    const owners = ops.filter(({ isNewer }) => !isNewer).map(({ envelope }) => ownersOf(envelope));
    const items = owners.flatMap((owner) => owner.items);
    const chunks = owners.flatMap((owner) => owner.chunks);
    if (items.length + chunks.length === 0) return new Map();
    const rows = await readRows<{ id: string; wrapped_key: Buffer }>(this.pool, LIVING_KEYS, [items, chunks]);
    return new Map(rows.map(({ id, wrapped_key: key }) => [id, key]));
  }

  private view({ position, envelope, isNewer }: ReadOp, { keys, titles }: Surroundings): OpView {
    const { id, type, at, actor } = envelope;
    // The noun stands in for the tools' name of an event that this version does not know.
    const kind = readableEvent(envelope)?.kind ?? nounOf(type);
    const itemId = itemIdOf(envelope);
    const item = itemId === undefined ? null : { id: itemId, title: titles.get(itemId) ?? FORGOTTEN };
    const data = isNewer ? (envelope.data as OpView['data']) : openData(envelope, keys, this.vault);
    return { id, position: Number(position), kind, type, at, actor, data, item };
  }
}
