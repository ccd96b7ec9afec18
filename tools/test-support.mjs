// Recognises test support by its name: specs, suites that fakes and adapters share, fakes of ports, harnesses that
// start something, builders of test data, and the `testing.ts` that offers them to other projects. Jest compiles it
// from source; it is in no dist and in no image. libs/testing is a project of its own: it is compiled, because
// benchmarks and the end-to-end setup run outside jest.
const NAME = /(\.(spec|contract|fake|harness|builder)|(^|\/)testing)$/;

/** @param {string} file the path of a source file */
export const isTestSupport = (file) => file.endsWith('.ts') && NAME.test(file.slice(0, -'.ts'.length));

/** @param {string} specifier a relative path, or a package with a sub-path */
export const isTestSupportImport = (specifier) =>
  specifier.startsWith('.') ? NAME.test(specifier.replace(/\.js$/, '')) : /^@cairn\/[a-z-]+\/testing$/.test(specifier);
