import { printReport, type CommandContext } from '../command-context.js';
import { withIngestEngines } from '../connection.js';
import { EXIT } from '../exit.js';
import { asOnlyOperator } from './one-operator.js';
import { progressPrinter } from './progress.js';
import { repairLines } from './repair-output.js';
import { planRepair, repair } from './repair.js';

export interface RepairCommandOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

export const repairAction = (context: CommandContext, { json, dryRun }: RepairCommandOptions): Promise<void> =>
  withIngestEngines(context, async (engines, env) => {
    const options = { engines, onProgress: progressPrinter(context.err) };
    const report = await asOnlyOperator(engines.pool, () =>
      dryRun ? planRepair(options) : repair(options, env.NATS_REPLICAS),
    );
    printReport(context, json, report, repairLines(report));
    return (report.done?.findings ?? []).length === 0 ? EXIT.ok : EXIT.differences;
  });
