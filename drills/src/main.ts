import { AppProcess } from '@cairn/local-servers';
import { listText, parseCommand, USAGE, UsageError } from './command-line.js';
import { DRILLS } from './drills.js';

const say = (line: string): void => void process.stderr.write(`drill: ${line}\n`);

/** Servers that a drill has started end with this process; the product's processes must be ended by it. */
const endOnSignal = (): void => {
  const end = (signal: NodeJS.Signals): void => {
    say(`ended by ${signal}`);
    process.off('SIGINT', end).off('SIGTERM', end);
    void AppProcess.endAll('SIGTERM').finally(() => process.exit(1));
  };
  process.on('SIGINT', end).on('SIGTERM', end);
};

const main = async (): Promise<number> => {
  const command = parseCommand(process.argv.slice(2), DRILLS);
  if ('shows' in command) {
    console.log(listText(DRILLS));
    return 0;
  }
  endOnSignal();
  const { figures, broken } = await command.drill.run(command.values, say);
  for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(36)} ${value}`);
  for (const promise of broken) console.log(`BROKEN: ${promise}`);
  console.log(broken.length === 0 ? 'passed' : 'failed');
  return broken.length === 0 ? 0 : 1;
};

try {
  process.exitCode = await main();
} catch (thrown) {
  if (!(thrown instanceof UsageError)) throw thrown;
  say(`${thrown.message}\n${USAGE}`);
  process.exitCode = 2;
}
