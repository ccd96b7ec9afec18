import { printReport, type CommandContext } from '../command-context.js';
import { withEngines } from '../connection.js';
import { EXIT, RefusedError, UsageError } from '../exit.js';
import { promote, replay, type RebuildProgress, type RebuildReport } from './rebuild.js';
import { REBUILDABLE, type Rebuildable } from './rebuildable.js';
import { verifyOpLog, type VerifyReport } from './verify.js';

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

export const verifyAction = (context: CommandContext, options: { readonly json?: boolean }): Promise<void> =>
  withEngines(context, async (engines) => {
    const report = await verifyOpLog(engines, (done, head) => context.err(`checked ${done} of ${head}`));
    printReport(context, options.json, report, verifyLines(report));
    return report.findings.length === 0 ? EXIT.ok : EXIT.differences;
  });

export const replayAction = (
  context: CommandContext,
  name: string,
  options: { readonly json?: boolean },
): Promise<void> =>
  withEngines(context, async (engines) => {
    const report = await replay(engines, rebuildable(name), (progress) => context.err(progressLine(progress)));
    printReport(context, options.json, report, replayLines(report));
    return report.equal === false ? EXIT.differences : EXIT.ok;
  });

export const promoteAction = (
  context: CommandContext,
  name: string,
  options: { readonly json?: boolean; readonly yes?: boolean },
): Promise<void> =>
  withEngines(context, async (engines) => {
    const projection = rebuildable(name);
    if (!options.yes) throw new RefusedError(`promote replaces the live ${projection}: say --yes`);
    const version = await promote(engines, projection);
    printReport(context, options.json, { projection, version }, [`${projection} is now version ${version}`]);
    return EXIT.ok;
  });
