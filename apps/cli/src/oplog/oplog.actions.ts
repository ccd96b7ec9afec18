import { PROJECTIONS, wantPrevious, type Projection } from '@cairn/projections';
import { printReport, type CommandContext } from '../command-context.js';
import { withEngines, type Engines } from '../connection.js';
import { EXIT, RefusedError, UsageError } from '../exit.js';
import { progressLine, replayLines, verifyLines, warmUpLines } from './oplog-output.js';
import { promote, replay } from './rebuild.js';
import { verifyOpLog } from './verify.js';
import { warmUp } from './warm-up.js';

const projectionNamed = (name: string): Projection => {
  const found = PROJECTIONS.find((projection) => projection.name === name);
  if (!found)
    throw new UsageError(`unknown projection ${name}: one of ${PROJECTIONS.map((known) => known.name).join(', ')}`);
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
    const report = await replay(engines, projectionNamed(name), (progress) => context.err(progressLine(progress)));
    printReport(context, options.json, report, replayLines(report));
    return report.equal === false ? EXIT.differences : EXIT.ok;
  });

export const promoteAction = (
  context: CommandContext,
  name: string,
  options: { readonly json?: boolean; readonly yes?: boolean },
): Promise<void> =>
  withEngines(context, async (engines) => {
    const projection = projectionNamed(name);
    if (!options.yes) throw new RefusedError(`promote replaces the live ${name}: add --yes`);
    const version = await promote(engines, projection);
    printReport(context, options.json, { projection: name, version }, [`${name} is now version ${version}`]);
    return EXIT.ok;
  });

export const warmUpAction = (
  context: CommandContext,
  { json, asIngest = false }: { readonly json?: boolean; readonly asIngest?: boolean },
): Promise<void> => {
  const fillAll = async (engines: Engines): Promise<number> => {
    const filled = await warmUp(engines, (name, progress) => context.err(`${name}: ${progressLine(progress)}`));
    printReport(context, json, { filled }, warmUpLines(filled));
    return EXIT.ok;
  };
  return withEngines(context, fillAll, { user: asIngest ? 'ingest' : 'cli' });
};

export const rollbackAction = (
  context: CommandContext,
  options: { readonly json?: boolean; readonly yes?: boolean },
): Promise<void> =>
  withEngines(context, async ({ pool }) => {
    if (!options.yes) throw new RefusedError('rollback replaces the live read models: add --yes');
    if (!(await wantPrevious(pool))) throw new RefusedError('no other version of Cairn has been live here');
    const line = 'the version before may take over: it does so when an ingest of it runs and has caught up';
    printReport(context, options.json, { wanted: true }, [line]);
    return EXIT.ok;
  });
