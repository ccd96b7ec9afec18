import type { CommandData, EventType, LoggedCommandType } from '@cairn/contracts';
import type { Decidable } from '@cairn/domain';
import type { IdGenerator } from '@cairn/kernel';
import type { ParsedRequest } from '@cairn/messaging';
import type { InstanceSecrets, Vault } from '@cairn/vault';
import type { CorrectionStore } from '../corrections/correction-store.js';
import type { PreparedCommand } from './prepared-command.js';

export interface PrepareContext {
  readonly vault: Vault;
  readonly secrets: InstanceSecrets;
  readonly ids: IdGenerator;
  readonly corrections: Pick<CorrectionStore, 'get'>;
}

export type Prepare<T extends LoggedCommandType> = (
  request: ParsedRequest<CommandData<T>>,
  context: PrepareContext,
) => PreparedCommand | Promise<PreparedCommand>;

const MAKES: Readonly<Record<LoggedCommandType, EventType | readonly EventType[]>> = {
  'workspace.create': 'workspace.created',
  'folder.create': 'folder.created',
  'folder.configure': 'folder.configured',
  'token.issue': 'token.issued',
  'token.revoke': 'token.revoked',
  'item.store': 'item.stored',
  'item.update': 'item.placed',
  'item.supersede': 'item.superseded',
  'quota.set': 'quota.set',
  'item.forget': 'item.forgotten',
  'chunk.forget': 'chunk.forgotten',
  'receipt.issue': 'receipt.issued',
  'chunk.correct': 'chunk.corrected',
  'item.remember': ['item.stored', 'confirmation.requested'],
  'confirmation.resolve': 'confirmation.resolved',
};

/** What every prepared command has in common. */
export const common = (type: LoggedCommandType, { id, correlationId, principal }: ParsedRequest<unknown>) => ({
  type,
  makes: [MAKES[type]].flat(),
  id,
  correlationId,
  principal,
});

export const at = <D>({ id, principal, data }: ParsedRequest<D>, atMs: number): Decidable<D> => ({
  commandId: id,
  principal,
  atMs,
  data,
});
