// One configuration for every tier; the suffix of a file is its tier: x.spec.ts, x.int.spec.ts, x.cluster.spec.ts,
// x.e2e.spec.ts. Run with `node --experimental-vm-modules`: Nest 12 is ESM only.
// CAIRN_PROFILE=cluster picks the suites that need native Postgres and OpenSearch, and runs e2e on the cluster profile.
const isCluster = process.env.CAIRN_PROFILE === 'cluster';

const shared = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  moduleNameMapper: {
    '^@cairn/([a-z-]+)/testing$': '<rootDir>/libs/$1/src/testing.ts',
    '^@cairn/(gateway|ingest|search|embedder|standalone|cli)$': '<rootDir>/apps/$1/src/index.ts',
    '^@cairn/([a-z-]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['/dist/'],
};

const code = {
  ...shared,
  displayName: isCluster ? 'cluster' : 'code',
  testMatch: isCluster
    ? ['<rootDir>/{apps,libs}/**/*.cluster.spec.ts']
    : [
        '<rootDir>/{apps,libs,tools,benchmarks,drills}/**/*.spec.ts',
        '<rootDir>/e2e/**/!(*.e2e|*.standalone|*.cluster).spec.ts',
      ],
  testPathIgnorePatterns: isCluster ? ['/node_modules/'] : ['/node_modules/', '\\.cluster\\.spec\\.ts$'],
};

const e2e = {
  ...shared,
  displayName: isCluster ? 'e2e on the cluster' : 'e2e on standalone',
  testMatch: ['e2e', isCluster ? 'cluster' : 'standalone'].map((tier) => `<rootDir>/e2e/src/**/*.${tier}.spec.ts`),
  globalSetup: '<rootDir>/e2e/global-setup.mjs',
  globalTeardown: '<rootDir>/e2e/global-teardown.mjs',
};

// A failed test that cites a requirement prints the sentence it proves.
const reporters = ['default', '<rootDir>/e2e/requirements-reporter.mjs'];

// Modules of finished suites stay in a worker's memory: at this size it is replaced.
const workerIdleMemoryLimit = '1500MB';

export default { testTimeout: 60_000, maxWorkers: 2, workerIdleMemoryLimit, reporters, projects: [code, e2e] };
