import { AppError, ConfigError } from '@cairn/kernel';
import { EXIT, RefusedError, UsageError } from './exit.js';
import { cairnProgram, runProgram } from './program.js';
import { RequestRefused, ServerUnavailable } from './rest/rest-client.js';

const context = {
  env: process.env,
  out: (line: string) => void process.stdout.write(`${line}\n`),
  err: (line: string) => void process.stderr.write(`${line}\n`),
  exit: (code: number) => {
    process.exitCode = code;
  },
};

const program = cairnProgram(context).exitOverride((error) =>
  process.exit(error.exitCode === 0 ? EXIT.ok : EXIT.usage),
);

const OURS = [AppError, ConfigError, RefusedError, RequestRefused, ServerUnavailable, UsageError];

try {
  await runProgram(program, process.argv.slice(2));
} catch (thrown) {
  const isOurs = OURS.some((type) => thrown instanceof type);
  context.err(`cairn: ${isOurs && thrown instanceof Error ? thrown.message : String(thrown)}`);
  process.exitCode = thrown instanceof RefusedError ? EXIT.refused : EXIT.usage;
}
