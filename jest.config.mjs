// One configuration for every tier; the suffix of a file is its tier (STYLE: x.spec.ts, x.int.spec.ts, x.e2e.spec.ts).
// Run with `node --experimental-vm-modules`: Nest 12 is ESM only.
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  moduleNameMapper: {
    '^@cairn/(gateway|ingest|search|embedder|standalone|cli)$': '<rootDir>/apps/$1/src/index.ts',
    '^@cairn/([a-z-]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['/dist/'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  testTimeout: 30_000,
};
