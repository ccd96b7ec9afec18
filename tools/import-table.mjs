// The only table of allowed imports. A project's layer is the tag `layer:…` in its package.json. The check reads this
// table (check-imports.mjs), and docs/ARCHITECTURE.md shows it (gen-docs.mjs).

/**
 * @typedef {{ only?: readonly string[], not?: readonly string[], words: string }} PackageRule
 * @typedef {{ mayUse: readonly string[], packages: PackageRule }} Layer
 * @typedef {{ mayUse: readonly string[], not?: readonly string[], words?: string }} App
 */

/** @type {Record<string, Layer>} */
export const LAYERS = {
  core: { mayUse: ['core'], packages: { only: ['zod'], words: '`zod` only, no Node built-ins' } },
  platform: { mayUse: ['core', 'platform'], packages: { words: 'their own technology' } },
  engine: {
    mayUse: ['core', 'platform', 'engine'],
    packages: { not: ['@nestjs/microservices'], words: 'no `@nestjs/microservices`' },
  },
  test: { mayUse: ['core', 'platform', 'engine', 'test'], packages: { words: '' } },
};

export const EVERY_APP = ['kernel', 'contracts', 'messaging', 'observability'];
const DATABASES = ['pg', 'typeorm', '@opensearch-project/opensearch'];

/** Names of projects, or `layer:…` for all of a layer. @type {Record<string, App>} */
export const APPS = {
  gateway: {
    mayUse: [
      ...EVERY_APP,
      ...['access', 'auth', 'graph', 'mcp-tools', 'connectors', 'documents', 'web-fetch', 'external-mcp'],
    ],
    not: DATABASES,
    words: 'no database client',
  },
  ingest: {
    mayUse: [
      ...EVERY_APP,
      'access',
      'auth',
      'domain',
      'correction',
      'extraction',
      'graph',
      'op-log',
      'vault',
      'projections',
      'persistence',
      'ranking',
    ],
  },
  embedder: {
    mayUse: [...EVERY_APP, 'domain', 'op-log', 'vault', 'embedding', 'artifacts'],
    not: DATABASES,
    words: 'no database client',
  },
  search: {
    mayUse: [
      ...EVERY_APP,
      'access',
      'auth',
      'extraction',
      'graph',
      'ranking',
      'retrieval',
      'vault',
      'projections',
      'embedding',
      'persistence',
    ],
  },
  cli: {
    mayUse: [
      ...EVERY_APP,
      'layer:engine',
      'domain',
      'persistence',
      'auth',
      'vault',
      'artifacts',
      'connectors',
      'documents',
      'extraction',
      'graph',
    ],
  },
  console: { mayUse: [], words: 'it runs in a browser and reaches the gateway over HTTP only' },
  standalone: {
    mayUse: [
      ...EVERY_APP,
      ...['gateway', 'ingest', 'search', 'embedder'],
      ...['auth', 'local-servers', 'vault', 'artifacts', 'embedding', 'persistence', 'correction', 'credentials'],
    ],
    words: 'the only app that imports apps: it is the four services in one process',
  },
};
