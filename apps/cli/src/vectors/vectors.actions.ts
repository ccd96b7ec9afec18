import { flipped, ordered, previousDropped, rolledBack, type VectorModels } from '@cairn/contracts';
import { VectorModelStore } from '@cairn/op-log';
import { printReport, type CommandContext } from '../command-context.js';
import { withEngines, type Engines } from '../connection.js';
import { EXIT, RefusedError } from '../exit.js';
import { followReembedding } from './follow-reembedding.js';
import { countVectors, type VectorsStatus } from './vector-counts.js';
import { progressLine, statusLines } from './vectors-output.js';

const NOT_STARTED = 'no vectors have been made yet: start Cairn and wait until the embedding model is loaded';

interface Opened {
  readonly engines: Engines;
  readonly store: VectorModelStore;
  readonly models: VectorModels;
}

const withModels = (context: CommandContext, run: (opened: Opened) => Promise<VectorsStatus>, asJson?: boolean) =>
  withEngines(context, async (engines) => {
    const store = await VectorModelStore.open(engines.nats);
    const models = await store.get();
    if (!models) throw new RefusedError(NOT_STARTED);
    const status = await run({ engines, store, models });
    printReport(context, asJson, status, statusLines(status));
    return EXIT.ok;
  });

/** Changes the record by a rule that leaves it unchanged where it does not apply. */
const changed = async ({ engines, store }: Opened, change: (models: VectorModels) => VectorModels) =>
  countVectors(engines.pool, (await store.update((models) => models && change(models)))!);

export const statusAction = (context: CommandContext, options: { readonly json?: boolean }): Promise<void> =>
  withModels(context, ({ engines, models }) => countVectors(engines.pool, models), options.json);

export interface ReembedOptions {
  readonly json?: boolean;
  readonly model?: string;
  readonly hold?: boolean;
}

export const reembedAction = (context: CommandContext, { json, model, hold = false }: ReembedOptions): Promise<void> =>
  withModels(
    context,
    async ({ engines, store, models }) => {
      if (model !== undefined) await store.update((now) => now && ordered(now, { source: model, hold }));
      else if (!models.next)
        throw new RefusedError(
          `searches already use the vectors of the configured model, ${models.live.id}: name another one with --model`,
        );
      const after = await followReembedding({ nats: engines.nats, store }, (progress) =>
        context.err(progressLine(progress)),
      );
      return countVectors(engines.pool, after);
    },
    json,
  );

export const flipAction = (context: CommandContext, options: { readonly json?: boolean }): Promise<void> =>
  withModels(
    context,
    (opened) => {
      if (!opened.models.next?.parity)
        throw new RefusedError('there are no complete vectors to flip to: see `cairn vectors status`');
      return changed(opened, (models) => (models.next?.parity ? flipped(models, Date.now()) : models));
    },
    options.json,
  );

interface Confirmed {
  readonly json?: boolean;
  readonly yes?: boolean;
}

const confirmed = ({ previous }: VectorModels, { yes }: Confirmed, warning: (id: string) => string): void => {
  if (!previous) throw new RefusedError('there are no previous vectors: see `cairn vectors status`');
  if (!yes) throw new RefusedError(`${warning(previous.id)}: add --yes`);
};

export const rollbackAction = (context: CommandContext, options: Confirmed): Promise<void> =>
  withModels(
    context,
    (opened) => {
      confirmed(opened.models, options, (id) => `rollback makes searches use the vectors of ${id} again`);
      return changed(opened, (models) => rolledBack(models, Date.now()));
    },
    options.json,
  );

export const dropAction = (context: CommandContext, options: Confirmed): Promise<void> =>
  withModels(
    context,
    (opened) => {
      confirmed(opened.models, options, (id) => `drop removes the vectors of ${id}; they cannot be returned to`);
      return changed(opened, previousDropped);
    },
    options.json,
  );
