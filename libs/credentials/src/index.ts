/**
 * Credentials and certificates that are in files: the variables that name them, and how they are read. Knows no server:
 * `@cairn/messaging` and `@cairn/persistence` use them to connect.
 */
export { badEnvironment, requireTogether, type EnvironmentProblem } from './environment-problem.js';
export { fileVariable, readSecret } from './secret-file.js';
export { tlsFiles, tlsOptions, type TlsFiles, type TlsOptions } from './tls-files.js';
