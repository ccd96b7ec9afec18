import { reachOf } from '@cairn/access';
import type { CommandData, LoggedCommandType, Principal } from '@cairn/contracts';
import type { Decidable } from '@cairn/domain';
import type { IdGenerator } from '@cairn/kernel';
import type { ParsedRequest } from '@cairn/messaging';
import type { InstanceSecrets, Vault } from '@cairn/vault';
import type { Pool } from 'pg';
import type { CorrectionStore } from '../corrections/correction-store.js';
import type { PreparedCommand } from './prepared-command.js';
import type { Needs } from './state.loader.js';

export interface PrepareContext {
  readonly pool: Pool;
  readonly vault: Vault;
  readonly secrets: InstanceSecrets;
  readonly ids: IdGenerator;
  readonly corrections: Pick<CorrectionStore, 'get'>;
}

/** A request with the id under which it is decided. */
export type CommandRequest<D> = ParsedRequest<D> & Pick<PreparedCommand, 'sentAs'>;

export type Prepare<T extends LoggedCommandType> = (
  request: ParsedRequest<CommandData<T>>,
  context: PrepareContext,
) => OwnPart | Promise<OwnPart>;

/** What is prepared for each type of command; the rest is the same for all. Only a correction has an id of its own. */
type OwnPart = Pick<PreparedCommand, 'needs' | 'decide' | 'beforeAppend' | 'answer'> &
  Partial<Pick<PreparedCommand, 'id'>>;

/** Every folder that the caller's token covers, where it is not known before which one an item is in. */
export const anyFolderOf = (principal: Principal): NonNullable<Needs['folders']> => {
  const { folderIds } = reachOf(principal);
  return { ids: folderIds ?? [], slugs: [], all: folderIds === null };
};

export const at = <D>({ id, principal, data }: ParsedRequest<D>, atMs: number): Decidable<D> => ({
  commandId: id,
  principal,
  atMs,
  data,
});
