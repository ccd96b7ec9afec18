import {
  LINK_TYPES,
  RETENTIONS,
  type CommandData,
  type CommandResult,
  type LoggedCommandType,
  type Principal,
  type Retention,
} from '@cairn/contracts';
import { DEFAULT_FOLDER } from '@cairn/domain';
import { entityKey } from '@cairn/graph';
import { systemIds } from '@cairn/kernel';
import { edgeRef } from '@cairn/vault';
import { itemData, longText } from './command-data.builder.js';
import type { IngestUnderTest } from './ingest-under-test.harness.js';
import { activityOn, connectAccount, imported } from './series/series-under-test.harness.js';

const NAMES = ['Alice Chen', 'Bob Stone', 'Meridian Labs', 'Northwind Labs', 'Apollo'] as const;
const STATED_TYPES = LINK_TYPES.filter((type) => type !== 'supersedes');

/** The numbers of a step choose among what is there, and among names, days and rules. */
export interface Numbers {
  readonly at: number;
  readonly a: number;
  readonly b: number;
}

interface Target {
  readonly itemId: string;
  readonly kind: string;
  readonly chunkIds: readonly string[];
}

/** Names, what is stated of them, and the id of an item, which is a link. */
const sentencesOf = ({ a, b }: Numbers, see = 'nothing else'): string =>
  `${NAMES[a]} works at ${NAMES[b]}. ${NAMES[b]} depends on ${NAMES[(a + b) % NAMES.length]}. See ${see}. `;

/** Of one chunk, or of several. */
const textOf = (numbers: Numbers, see?: string): string =>
  sentencesOf(numbers, see) + longText(numbers.a === numbers.b ? 2 : 0);

/** A workspace with an account of rows and one of documents, and what a step cannot read from the tables. */
export class World {
  readonly merges: string[] = [];
  readonly links: string[] = [];

  private constructor(
    readonly ingest: IngestUnderTest,
    readonly principal: Principal,
    readonly series: string,
    readonly documents: string,
  ) {}

  static async create(ingest: IngestUnderTest): Promise<World> {
    const principal = await ingest.workspace();
    const series = await connectAccount(ingest, principal);
    return new World(ingest, principal, series, await connectAccount(ingest, principal, 'folder'));
  }

  send<T extends LoggedCommandType>(type: T, data: CommandData<T>): Promise<CommandResult<T>> {
    return this.ingest.command(this.principal, type, data);
  }

  /** One of the items that are there, batches of rows and documents of accounts included. */
  async target(at: number, kind: string | null = null): Promise<Target | undefined> {
    const { rows } = await this.ingest.pool.query<Target & Record<string, unknown>>(
      `select i.id as "itemId", i.kind,
         array(select b.chunk_id::text from library.bodies b where b.item_id = i.id order by b.ordinal) as "chunkIds"
       from library.items i where i.workspace_id = $1 and i.kind = coalesce($2, i.kind) order by i.position, i.id`,
      [this.principal.workspaceId, kind],
    );
    return rows[at % Math.max(1, rows.length)];
  }

  async retention(): Promise<Retention> {
    const sql = 'select retention from library.accounts where id = $1';
    return (await this.ingest.pool.query<{ retention: Retention }>(sql, [this.documents])).rows[0]!.retention;
  }
}

/** Says what it has done; undefined when there was nothing to do it with. */
type Action = (world: World, numbers: Numbers) => Promise<string | undefined>;

const always =
  (done: string, act: (world: World, numbers: Numbers) => Promise<unknown>): Action =>
  async (world, numbers) => {
    await act(world, numbers);
    return done;
  };

type Place = Target & { readonly chunkId: string };

const onItem =
  (
    done: string | ((target: Target) => string),
    act: (world: World, place: Place, numbers: Numbers) => Promise<unknown>,
  ): Action =>
  async (world, numbers) => {
    const target = await world.target(numbers.at);
    if (!target) return undefined;
    await act(world, { ...target, chunkId: target.chunkIds[numbers.b % target.chunkIds.length]! }, numbers);
    return typeof done === 'string' ? done : done(target);
  };

const store: Action = always('store', async (world, numbers) => {
  const text = textOf(numbers, (await world.target(numbers.at))?.itemId);
  const kind = numbers.a > numbers.b ? 'log-card' : 'knowledge';
  await world.send('item.store', itemData({ text, kind, title: `About ${NAMES[numbers.b]}`, tags: ['graph'] }));
});

/** With a link where there is something to link to, and sometimes with an edge. */
const commit: Action = always('commit', async (world, numbers) => {
  const to = await world.target(numbers.at);
  const edges = [{ subject: NAMES[numbers.a]!, predicate: 'knows', object: NAMES[numbers.b]! }];
  const links = to ? [{ toItemId: to.itemId, type: STATED_TYPES[numbers.b]! }] : [];
  await world.send('item.commit', {
    folderName: DEFAULT_FOLDER.name,
    text: textOf(numbers, to?.itemId),
    extra: { links, ...(numbers.a > 1 && { edges }) },
    clientToken: systemIds.next(),
  });
});

const attach: Action = async (world, numbers) => {
  const card = await world.target(numbers.at, 'log-card');
  if (!card) return undefined;
  const file = { title: 'A file', text: textOf(numbers), fileName: 'a.md' };
  await world.send('item.attach', { logCardId: card.itemId, ...file });
  return 'attach';
};

/** One of two documents in one of a few states. As a connector does, it forgets what is kept beyond the rule. */
const sync: Action = async (world, numbers) => {
  const name = `document-${numbers.at % 2}`;
  const { looserIds, outcome } = await world.send('item.sync', {
    accountId: world.documents,
    ref: name,
    version: String(numbers.a),
    retention: await world.retention(),
    kind: 'document',
    title: name,
    text: textOf(numbers),
  });
  for (const itemId of looserIds) await world.send('item.forget', { itemId, surface: 'rest' });
  return looserIds.length > 0 ? 'sync under a tighter rule' : `sync: ${outcome}`;
};

const retain: Action = always('retain', (world, { a }) =>
  world.send('account.configure', { accountId: world.documents, retention: RETENTIONS[a % RETENTIONS.length]! }),
);

/** Days in a row, of one month or two; of those that are there already it is another version. */
const importRows: Action = always('import', (world, { at, a, b }) => {
  const metrics = { distance_meters: 100 * b + at / 8, activities: 1 };
  const rows = Array.from({ length: 8 * a + 1 }, (_, i) => activityOn(at + i, at + i, { metrics }));
  return imported(world.ingest, world.principal, world.series, rows);
});

const purge: Action = async (world, { at, a }) => {
  const before = new Date(Date.UTC(2026, 0, 1 + 2 * at)).toISOString();
  const data = { accountId: world.series, before, keepAggregates: a % 2 === 0 };
  const { rows, rollups } = await world.send('observations.purge', data);
  if (rows === 0) return undefined;
  return rollups > 0 ? 'purge with roll-ups' : 'purge without roll-ups';
};

const correct: Action = onItem('correct', async (world, { chunkId }, { at, a, b }) => {
  const newText = sentencesOf({ at, a: b, b: a }, (await world.target(at + 1))?.itemId);
  const { correctionId } = await world.ingest.propose(world.principal, { chunkId, instruction: 'as given', newText });
  await world.send('chunk.correct', { correctionId });
});

const observe: Action = onItem('observe', (world, { chunkId }, { a, b }) => {
  const edges = [{ subject: NAMES[a]!, predicate: 'knows', object: NAMES[b]! }];
  return world.send('edge.observe', { chunkId, edges, surface: 'rest' });
});

const review: Action = onItem('review', async (world, { itemId, chunkId }, { a, b }) => {
  const key = (await world.ingest.vault.get(world.principal.workspaceId, itemId)).chunks.get(chunkId)!;
  const edge = { subjectKey: entityKey(NAMES[a]!)!, predicate: 'works_at', objectKey: entityKey(NAMES[b]!)! };
  const evidence = [{ itemId, chunkId, edgeRef: edgeRef(key, edge) }];
  await world.send('edge.review', { edgeId: systemIds.next(), evidence, verdict: a > b ? 'confirmed' : 'rejected' });
});

const merge: Action = onItem('merge', async (world, { itemId, chunkId }, { a, b }) => {
  const mergeId = systemIds.next();
  const places = [{ itemId, chunkId }];
  const names = { alias: [NAMES[a]!], canonical: [NAMES[b]!] };
  await world.send('entity.merge', { mergeId, alias: places, canonical: places, names });
  world.merges.push(mergeId);
});

const split: Action = async (world) => {
  const mergeId = world.merges.at(-1);
  if (mergeId === undefined) return undefined;
  await world.send('entity.split', { mergeId });
  return 'split';
};

const link: Action = onItem('link', async (world, { itemId }, { at, a, b }) => {
  const { itemId: toItemId } = (await world.target(at + a))!;
  const links = [{ fromItemId: itemId, toItemId, type: STATED_TYPES[a + b]!, confidence: 0.5 }];
  world.links.push(...(await world.send('link.add', { links, surface: 'rest' })).linkIds);
});

const unlink: Action = async (world) => {
  const linkId = world.links.pop();
  if (linkId === undefined) return undefined;
  await world.send('link.remove', { linkId, surface: 'rest' });
  return 'unlink';
};

export const ACTIONS = {
  store,
  commit,
  attach,
  sync,
  retain,
  import: importRows,
  purge,
  correct,
  observe,
  review,
  merge,
  split,
  link,
  unlink,
  title: onItem('title', (world, { itemId }, { a }) => world.send('item.update', { itemId, title: NAMES[a]! })),
  leave: onItem('leave', (world, { itemId }) => world.send('item.update', { itemId, inKb: false })),
  enter: onItem('enter', (world, { itemId }) => world.send('item.update', { itemId, inKb: true })),
  forget: onItem(
    ({ kind }) => `forget ${kind}`,
    (world, { itemId }) => world.send('item.forget', { itemId, surface: 'rest' }),
  ),
  'forget chunk': onItem('forget chunk', (world, { chunkId }) =>
    world.send('chunk.forget', { chunkId, surface: 'rest' }),
  ),
  crash: always('crash', (world) => Promise.resolve(world.ingest.replicas[0]!.extractor.crash())),
} satisfies Record<string, Action>;

export type StepKind = keyof typeof ACTIONS;
export const STEP_KINDS = Object.keys(ACTIONS) as StepKind[];
