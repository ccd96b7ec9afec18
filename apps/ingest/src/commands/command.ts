import { reachOf } from '@cairn/access';
import type { CommandData, CommandResult, LoggedCommandType, Principal } from '@cairn/contracts';
import type { Decidable } from '@cairn/domain';
import type { IdGenerator } from '@cairn/kernel';
import type { NatsConnection, ParsedRequest } from '@cairn/messaging';
import type { Logger } from '@cairn/observability';
import type { InstanceSecrets, Vault } from '@cairn/vault';
import type { Pool } from 'pg';
import type { CorrectionStore } from '../corrections/correction-store.js';
import type { Corrections } from '../corrections/corrections.js';
import type { ErasureWorker } from '../erasure/erasure-worker.js';
import type { LedgerKeeper } from '../erasure/ledger-keeper.js';
import type { SearchMemories } from '../erasure/search-memories.js';
import type { Need } from './needs.js';
import type { PreparedCommand } from './prepared-command.js';

/** The services for preparing a command. */
export interface PrepareContext {
  readonly pool: Pool;
  readonly vault: Vault;
  readonly secrets: InstanceSecrets;
  readonly ids: IdGenerator;
  readonly corrections: Pick<CorrectionStore, 'get'>;
}

/** The services that a command may use before and after its append. */
export interface CommandServices {
  readonly nats: NatsConnection;
  readonly vault: Vault;
  readonly corrections: Corrections;
  readonly ledger: Pick<LedgerKeeper, 'record'>;
  /** Removes forgotten chunks from the memory of search. */
  readonly memories: Pick<SearchMemories, 'forget'>;
  /** Absent if another process erases. */
  readonly erasure: Pick<ErasureWorker, 'poke'> | undefined;
  readonly logger: Logger;
}

/** A request with the id under which it is decided. */
export type CommandRequest<D> = ParsedRequest<D> & Pick<PreparedCommand, 'sentAs'>;

/** The parts that differ between prepared commands. Only a correction has an id of its own. */
type Prepared<R> = Pick<PreparedCommand<R>, 'needs' | 'decide' | 'beforeAppend' | 'answer'> &
  Partial<Pick<PreparedCommand, 'id'>>;

/** The definition of one command in ingest. */
export interface Command<T extends LoggedCommandType> {
  /** Returns the state it needs, how it is sealed and decided, and its answer. */
  readonly prepare: (
    request: ParsedRequest<CommandData<T>>,
    context: PrepareContext,
  ) => Prepared<CommandResult<T>> | Promise<Prepared<CommandResult<T>>>;
  /** Work around the append before the caller is answered; `append` decides and appends the prepared command. */
  readonly around?: (
    request: CommandRequest<CommandData<T>>,
    append: () => Promise<CommandResult<T>>,
    services: CommandServices,
  ) => Promise<CommandResult<T>>;
  /**
   * True for a command that changes existing data: it is answered once the keyword index has the change too, so every
   * later search shows it. Newly stored text may be found a moment later.
   */
  readonly waitsForKeywordIndex?: true;
  /** The tool whose `clientToken` it accepts: the token of one tool means nothing to another. */
  readonly clientTokenOf?: string;
  /** Generated for each request: a repeat differs in these fields and is still the same request. */
  readonly generatedFields?: readonly (keyof CommandData<T>)[];
}

/** Every folder that the caller's token covers, for cases in which an item's folder is not known in advance. */
export const anyFolderOf = (principal: Principal): Need<'folders'> => {
  const { folderIds } = reachOf(principal);
  return { ids: folderIds ?? [], slugs: [], all: folderIds === null };
};

export const at = <D>({ id, principal, data }: ParsedRequest<D>, atMs: number): Decidable<D> => ({
  commandId: id,
  principal,
  atMs,
  data,
});
