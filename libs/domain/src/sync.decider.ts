import { fail, isTighter, type CommandData } from '@cairn/contracts';
import { connectedAccount } from './account.decider.js';
import { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
import { itemEvents, type ItemOrigin, type SealedItem } from './item.decider.js';
import { mirrorKey, type WorkspaceState } from './state.js';
import { superseding } from './supersession.decider.js';

/** An `item.sync` after ingest has sealed it: the item, and its document as hashes under the account's key. */
export interface SyncedItem {
  readonly command: Pick<CommandData<'item.sync'>, 'accountId' | 'retention'>;
  readonly item: SealedItem;
  readonly document: { readonly key: string; readonly version: string };
}

export interface Synced extends Decision {
  readonly outcome: 'stored' | 'unchanged';
  readonly looserIds: readonly string[];
}

const originOf = ({ command, document }: SyncedItem): ItemOrigin => ({
  accountId: command.accountId,
  retention: command.retention,
  externalKey: document.key,
  externalVersion: document.version,
});

/** Stores a document once per state. Its earlier state is superseded in the same append. */
export const decideSyncItem = (state: WorkspaceState, { data, principal }: Decidable<SyncedItem>): Synced => {
  const { command, item, document } = data;
  const { retention, folderId } = connectedAccount(state, command.accountId);
  if (retention !== command.retention)
    throw fail('account.changed', 'the retention of the account was changed meanwhile: sync again');
  const mirrors = state.mirrors.get(mirrorKey(command.accountId, document.key)) ?? [];
  const looserIds = mirrors.filter((mirror) => isTighter(retention, mirror.retention)).map(({ itemId }) => itemId);
  const [before] = mirrors;
  if (before?.version === document.version) return { ...alreadyDone(before.itemId), outcome: 'unchanged', looserIds };
  const stored = itemEvents({ ...item, origin: originOf(data) }, folderId, principal.agentId);
  const old = before && state.items.get(before.itemId);
  const replaced = old?.supersededById === null ? [superseding(state, old, item.itemId)] : [];
  return { ...decided(item.itemId, ...stored, ...replaced), outcome: 'stored', looserIds };
};
