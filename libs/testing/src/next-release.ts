import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '');
const NOT_COPIED = new Set(['node_modules', 'src']);

/** A text of a compiled file, and what the next release has in its place. */
interface Patch {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Whether the new text uses the helpers for new fields. */
  readonly addsFields?: boolean;
}

/** Objects with keys of callers' own: a new key there would be content, not a field. */
const OPEN_OBJECTS = ['extra', 'settings', 'metrics', 'arguments', 'details'];

const ADDED_FIELDS = `
const open = new Set(${JSON.stringify(OPEN_OBJECTS)});
/** The value with a field that no earlier release knows, in every object of it. */
export const withAdded = (value) => {
  if (Array.isArray(value)) return value.map(withAdded);
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, open.has(key) ? inner : withAdded(inner)]);
  return { ...Object.fromEntries(entries), addedInNextRelease: { by: 'a newer version of Cairn' } };
};
`;

/** Every message that services exchange or store has new optional fields, at every level. */
const NEW_FIELDS: readonly Patch[] = [
  {
    file: 'libs/messaging/dist/requester.js',
    from: 'JSON.stringify(request)',
    to: 'JSON.stringify(withAdded(request))',
  },
  {
    file: 'libs/messaging/dist/respond.js',
    from: 'const ok = await handle(',
    to: 'const ok = await answering(handle)(',
  },
  {
    file: 'libs/op-log/dist/hash-chain.js',
    from: 'previous = hashOf(unhashed);',
    to: 'previous = hashOf(addTo(unhashed));',
  },
  { file: 'libs/op-log/dist/vector-log.js', from: 'JSON.stringify(message)', to: 'JSON.stringify(withAdded(message))' },
  { file: 'libs/op-log/dist/forget-ledger.js', from: 'JSON.stringify(entry)', to: 'JSON.stringify(withAdded(entry))' },
  {
    file: 'libs/op-log/dist/vector-model-store.js',
    from: 'this.write(JSON.stringify(after)',
    to: 'this.write(JSON.stringify(withAdded(after))',
  },
  { file: 'libs/vault/dist/item-cipher.js', from: 'JSON.stringify(meta)', to: 'JSON.stringify(withAdded(meta))' },
  { file: 'libs/vault/dist/json-cipher.js', from: 'JSON.stringify(value)', to: 'JSON.stringify(withAdded(value))' },
  {
    file: 'apps/ingest/dist/commands/notify-gateways.js',
    from: 'JSON.stringify(notice)',
    to: 'JSON.stringify(withAdded(notice))',
  },
];

const HELPERS = `
const answering = (handle) => async (request) => withAdded(await handle(request));
const addTo = (unhashed) => Object.assign(unhashed, withAdded(unhashed));
`;

/** The event that stores an item has a new version, which earlier releases cannot read. */
const NEW_VERSION: Patch = {
  file: 'libs/contracts/dist/events.js',
  from: 'export const EVENTS = [',
  to: 'Object.assign(ItemStored, { version: 2, upcasters: { 1: (data) => data } });\nexport const EVENTS = [',
};

/** A column, an index and a statement of a handler more in `library`. Searches read the column with every folder. */
const NEW_READ_MODEL: readonly Patch[] = [
  {
    file: 'libs/projections/dist/library/library.schema.js',
    from: "item_count: 'int not null default 0',",
    to: "item_count: 'int not null default 0', added_count: 'int not null default 0',",
  },
  {
    file: 'libs/projections/dist/library/library.schema.js',
    from: 'export const libraryIndexes = (schema)=>[',
    to: 'export const libraryIndexes = (schema)=>[`create index if not exists folders_added on ${schema}.folders (added_count)`,',
  },
  {
    file: 'libs/projections/dist/library/library-rows.js',
    from: 'folders f set item_count = f.item_count + added_here.n',
    to: 'folders f set added_count = f.added_count + added_here.n, item_count = f.item_count + added_here.n',
  },
];

/** An index more in `lexical`, and some seconds that filling a read model takes. */
const SLOWLY_FILLED: readonly Patch[] = [
  {
    file: 'libs/projections/dist/lexical/lexical.schema.js',
    from: 'export const lexicalIndexes = (schema, { k1, b } = BM25_DEFAULT)=>[',
    to: 'export const lexicalIndexes = (schema, { k1, b } = BM25_DEFAULT)=>[`create index if not exists documents_expiry on ${schema}.documents (expires_at)`,',
  },
  {
    file: 'apps/ingest/dist/projections/build-switch.js',
    from: 'if (await versions.fill(',
    to: 'await new Promise((resolve) => setTimeout(resolve, 5_000)); if (await versions.fill(',
  },
];

const apply = (root: string, { file, from, to, addsFields = false }: Patch): void => {
  const path = join(root, file);
  const code = readFileSync(path, 'utf8');
  if (!code.includes(from)) throw new Error(`${file} does not contain ${from}: bring the stand-in up to date`);
  const added = relative(dirname(path), join(root, 'added-fields.mjs')).split(sep).join('/');
  const head = `import { withAdded } from '${added}';\n${HELPERS}`;
  writeFileSync(path, `${addsFields ? head : ''}${code.replace(from, () => to)}`);
};

/** Packages of this workspace lead to the copy, all others to those that are installed. */
const linkPackages = (root: string): void => {
  const installed = join(ROOT, 'node_modules');
  mkdirSync(join(root, 'node_modules', '@cairn'), { recursive: true });
  for (const name of readdirSync(installed))
    if (name !== '@cairn' && !name.startsWith('.'))
      symlinkSync(join(installed, name), join(root, 'node_modules', name));
  for (const name of readdirSync(join(installed, '@cairn'))) {
    const project = relative(ROOT, realpathSync(join(installed, '@cairn', name)));
    symlinkSync(join(root, project), join(root, 'node_modules', '@cairn', name));
  }
};

/**
 * Writes a copy of this build into an empty folder, changed into a stand-in for the next release: every message has
 * optional fields that this build does not know. With `newVersion`, an event has a version that it cannot read, too; with
 * `newReadModel`, a read model has another layout, with further columns; with `isSlowlyFilled`, only a further index, and
 * filling it takes some seconds.
 */
export const writeNextRelease = (
  root: string,
  { newVersion = false, newReadModel = false, isSlowlyFilled = false } = {},
): void => {
  for (const group of ['apps', 'libs'])
    cpSync(join(ROOT, group), join(root, group), {
      recursive: true,
      filter: (path) => !NOT_COPIED.has(basename(path)) || path === join(ROOT, group),
    });
  cpSync(join(ROOT, 'package.json'), join(root, 'package.json'));
  linkPackages(root);
  writeFileSync(join(root, 'added-fields.mjs'), ADDED_FIELDS);
  for (const patch of NEW_FIELDS) apply(root, { ...patch, addsFields: true });
  if (newVersion) apply(root, NEW_VERSION);
  if (newReadModel) for (const patch of NEW_READ_MODEL) apply(root, patch);
  if (isSlowlyFilled) for (const patch of SLOWLY_FILLED) apply(root, patch);
};
