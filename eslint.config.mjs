// Type-aware lint: promises, switches, imports. Layout is prettier's job, the import table is tools/import-table.mjs.
import tseslint from 'typescript-eslint';

const isWorkspace = process.cwd() === import.meta.dirname;

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.nx/**'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        // One program for the whole workspace; `nx lint <project>` runs inside a project and reads that project's own.
        project: isWorkspace ? ['./tsconfig.json', './apps/console/tsconfig.json'] : ['./tsconfig.json'],
        tsconfigRootDir: process.cwd(),
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportDefaultDeclaration',
          message: 'Use named exports: a default export gets another name in every importing file.',
        },
        {
          // An arrow can be neither a generator nor, without a second type annotation, an assertion.
          selector: 'FunctionDeclaration[generator=false]:not([returnType.typeAnnotation.asserts=true])',
          message: 'Write an arrow-function constant: const f = (…) => …',
        },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only main.ts reads the environment; pass configuration down.' },
      ],
    },
  },
  {
    // Nest reads the types of constructor parameters at run time, so a class must stay a value import there.
    files: ['**/*.controller.ts', '**/*.module.ts', '**/*.service.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    files: [
      'apps/*/src/main.ts',
      'tools/**',
      '*.mjs',
      'e2e/**',
      'benchmarks/**',
      'drills/**',
      '**/*.spec.ts',
      '**/*.contract.ts',
      'libs/testing/**',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // Tests look into answers from outside, whose shape is what they are about.
    files: ['**/*.spec.ts', '**/*.contract.ts', 'e2e/**', 'libs/mcp-tools/src/eval/**'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    // A child process inherits the environment of its parent.
    files: ['libs/local-servers/src/app-process.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // These rules do not see the casts of JSDoc; the compiler does.
    files: ['**/*.mjs'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    // The tools that read these files ask for a default export.
    files: ['**/*.config.mjs', 'e2e/*.mjs'],
    rules: { 'no-restricted-syntax': 'off' },
  },
);
