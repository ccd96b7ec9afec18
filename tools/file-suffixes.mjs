// The suffixes of source files, `name.<suffix>.ts`, and what each one promises. A file with any other role has no
// suffix: `library-rows.ts`, not `library.rows.ts`.

/** @type {Readonly<Record<string, string>>} */
export const ROLES = {
  // Nest's own
  module: 'a Nest module',
  providers: 'the providers of a module, when they are many',
  controller: 'receives messages or HTTP requests: parse, call, return',
  service: 'a provider that a controller calls',
  guard: 'lets a request pass or refuses it',
  pipe: 'validates or converts an argument of a handler',
  interceptor: 'runs around a handler',
  filter: 'turns a thrown error into an answer',
  middleware: 'runs before the router',
  decorator: 'a decorator of controllers or routes',
  adapter: 'connects Nest to the HTTP server',
  // From the outside to the log and back
  tool: 'one MCP tool',
  hints: 'the hints that a tool adds to its answers',
  commands: 'the commands of one subject: what ingest carries out, or what the command line accepts',
  actions: 'what the commands of the command line do',
  handlers: 'the table of queries that a service answers',
  connector: 'one outside source that items come from',
  decider: 'pure rules: state and command to events',
  projection: 'one projection: events to rows or documents',
  schema: 'zod schemas, or the tables of a projection',
  sql: 'SQL text, and nothing that runs it',
  port: 'an interface that adapters and a fake implement',
  reader: 'one file format to text',
  worker: 'runs in a thread or process of its own',
  page: 'one page of the console',
  benchmark: 'one benchmark of `npm run bench`',
  drill: 'one drill of `npm run drill`',
  // Test support
  fake: 'a fake of a port',
  contract: 'one suite for a port',
  harness: 'starts something for a test',
  builder: 'makes test data',
};

/** The part before `.spec.ts`; `x.spec.ts` without one needs no running process. */
export const TIERS = ['int', 'e2e', 'standalone', 'cluster'];

/** @param {string} name the base name of a file */
const suffixesOf = (name) =>
  name
    .replace(/\.(d\.ts|tsx?|mjs)$/, '')
    .split('.')
    .slice(1);

/** @param {readonly string[]} suffixes */
const withoutTier = (suffixes) => {
  if (suffixes.at(-1) !== 'spec') return suffixes;
  const role = suffixes.slice(0, -1);
  return TIERS.includes(role.at(-1) ?? '') ? role.slice(0, -1) : role;
};

/**
 * Why a file may not have this name, or undefined.
 * @param {string} path
 */
export const suffixProblem = (path) => {
  const name = path.split('/').at(-1) ?? path;
  if (name.endsWith('.config.mjs') || name.endsWith('.config.ts')) return undefined;
  const [role, ...more] = withoutTier(suffixesOf(name));
  if (role === undefined) return undefined;
  if (more.length > 0) return `.${[role, ...more].join('.')} is more than one suffix`;
  if (Object.hasOwn(ROLES, role)) return undefined;
  if (Object.hasOwn(ROLES, `${role}s`)) return `write .${role}s instead of .${role}`;
  return `.${role} is not one of the suffixes in tools/file-suffixes.mjs; write -${role}, or add it there and in CONTRIBUTING.md`;
};
