import { Command, Option } from 'commander';
import type { Engines } from '../connection.js';
import { EXIT, RefusedError, UsageError } from '../exit.js';
import { promote, REBUILDABLE, replay, type Rebuildable, type RebuildProgress, type RebuildReport } from './rebuild.js';
import { verifyOpLog, type VerifyReport } from './verify.js';

export interface CommandContext {
  readonly connect: () => Promise<Engines>;
  readonly out: (line: string) => void;
  /** Progress goes here, so that standard output stays a report. */
  readonly err: (line: string) => void;
  readonly exit: (code: number) => void;
}

const FINDINGS_SHOWN = 20;

const verifyLines = ({ ops, workspaces, head, archived, erased, counts, findings }: VerifyReport): string[] => [
  `${ops} ops of ${workspaces} workspaces, head at ${head}`,
  `archive: ${archived} ops`,
  ...(erased > 0 ? [`${erased} ops are erased, as later ops say`] : []),
  ...counts.map(({ what, inLog, inLibrary }) => `${what}: ${inLog} in the log, ${inLibrary} in the library`),
  ...(counts.length === 0 ? ['the library is behind the log, so it was not counted'] : []),
  ...findings.slice(0, FINDINGS_SHOWN).map(({ position, problem }) => `position ${position}: ${problem}`),
  ...(findings.length > FINDINGS_SHOWN ? [`and ${findings.length - FINDINGS_SHOWN} more`] : []),
  findings.length === 0
    ? 'verified: sequence, hash chain, archive and counts agree'
    : `${findings.length} differences found`,
];

const progressLine = ({ position, head, opsPerSecond }: RebuildProgress): string => {
  const percent = head === 0 ? 100 : Math.floor((100 * position) / head);
  const eta = opsPerSecond > 0 ? `, ${Math.ceil((head - position) / opsPerSecond)} s to go` : '';
  return `position ${position} of ${head} (${percent} %), ${opsPerSecond} ops/s${eta}`;
};

const replayLines = ({ projection, version, ops, seconds, opsPerSecond, equal, tables }: RebuildReport): string[] => [
  `${projection} version ${version}: ${ops} ops in ${seconds.toFixed(1)} s (${opsPerSecond} ops/s)`,
  ...tables.map(
    ({ table, rows, live, next }) =>
      `${table}: ${rows} rows, ${live === next ? 'equal' : `live ${live}, rebuilt ${next}`}`,
  ),
  equal === undefined
    ? 'live went on meanwhile, so the two were not compared; promote catches up first'
    : equal
      ? `equal to live. Swap with: npx cairn oplog promote ${projection} --yes`
      : 'DIFFERENT from live',
];

const rebuildable = (name: string): Rebuildable => {
  const found = REBUILDABLE.find((candidate) => candidate === name);
  if (!found) throw new UsageError(`unknown projection ${name}: one of ${REBUILDABLE.join(', ')}`);
  return found;
};

/** Runs with the engines connected, and closes them whatever happens. */
export const withEngines = async (
  context: CommandContext,
  run: (engines: Engines) => Promise<number>,
): Promise<void> => {
  const engines = await context.connect();
  try {
    context.exit(await run(engines));
  } finally {
    await engines.close();
  }
};

export const json = () => new Option('--json', 'print one JSON object');

export const oplogCommand = (context: CommandContext): Command => {
  const print = (asJson: boolean | undefined, report: unknown, lines: readonly string[]): void =>
    asJson ? context.out(JSON.stringify(report)) : lines.forEach((line) => context.out(line));
  const oplog = new Command('oplog').description('look into the op-log and rebuild what is made of it');

  oplog
    .command('verify')
    .description('check sequence, hash chain, stream against archive, counts against the library')
    .addOption(json())
    .action((options: { json?: boolean }) =>
      withEngines(context, async (engines) => {
        const report = await verifyOpLog(engines, (done, head) => context.err(`checked ${done} of ${head}`));
        print(options.json, report, verifyLines(report));
        return report.findings.length === 0 ? EXIT.ok : EXIT.differences;
      }),
    );

  oplog
    .command('replay')
    .description('build the next version of a projection beside the live one, from the log alone')
    .argument('<projection>', REBUILDABLE.join(', '))
    .addOption(json())
    .action((name: string, options: { json?: boolean }) =>
      withEngines(context, async (engines) => {
        const report = await replay(engines, rebuildable(name), (progress) => context.err(progressLine(progress)));
        print(options.json, report, replayLines(report));
        return report.equal === false ? EXIT.differences : EXIT.ok;
      }),
    );

  oplog
    .command('promote')
    .description('put the rebuilt version in the place of the live one and drop the old one')
    .argument('<projection>', REBUILDABLE.join(', '))
    .option('--yes', 'really do it')
    .addOption(json())
    .action((name: string, options: { json?: boolean; yes?: boolean }) =>
      withEngines(context, async (engines) => {
        const projection = rebuildable(name);
        if (!options.yes) throw new RefusedError(`promote replaces the live ${projection}: say --yes`);
        const version = await promote(engines, projection);
        print(options.json, { projection, version }, [`${projection} is now version ${version}`]);
        return EXIT.ok;
      }),
    );
  return oplog;
};
