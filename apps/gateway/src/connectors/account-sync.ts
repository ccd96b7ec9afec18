import { createHash } from 'node:crypto';
import { can, keptText, type Connector, type SourceEntry } from '@cairn/connectors';
import {
  asAppError,
  fail,
  FILE_BYTES_MAX,
  ITEM_TITLE_CHARS_MAX,
  firstChars,
  MESH_TIMEOUT_MS,
  SYNC_ENTRIES_MAX,
  SYNC_FAILURES_SHOWN_MAX,
  SYNC_IN_FLIGHT_MAX,
  SYNC_LISTED_MAX,
  type Principal,
  type QueryAnswer,
} from '@cairn/contracts';
import type { DocumentParser } from '@cairn/documents';
import { systemClock, type Clock, type ErrorKind } from '@cairn/kernel';
import type { CairnPort } from '@cairn/mcp-tools';
import type { ConnectorRegistry } from './connector-registry.js';
import { connectedOf, type OpenAccount, type OpenedAccount } from './open-account.js';
import { ofSource } from './source-failure.js';

const LIST_TIMEOUT_MS = 30_000;
/**
 * After this time no further document is started. With the list before and the last documents, a call answers within the
 * two minutes that clients wait.
 */
const STARTING_MS_MAX = 45_000;
/** The version of a document whose text is not read and whose source does not give a version. */
const LISTED = 'listed';

export interface SyncResult {
  readonly found: number;
  readonly stored: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly failures: readonly { readonly ref: string; readonly code: string; readonly message: string }[];
  /** Documents left for another call: at least so many, if the source has more than a call looks at. */
  readonly left: number;
  /** Starts the call that takes them. */
  readonly nextCursor: string | null;
  readonly position: number;
}

interface Run {
  readonly cairn: CairnPort;
  readonly caller: Principal;
  readonly connector: Connector;
  readonly account: OpenedAccount;
}

interface Tally {
  stored: number;
  unchanged: number;
  failed: number;
  position: number;
  /** The first of them. */
  readonly failures: SyncResult['failures'][number][];
}

const readsBody = ({ account: { retention } }: Run): boolean => retention === 'full' || retention === 'hollow';

/** Files become files; anything else with text becomes a document. */
const kindOf = ({ connector }: Run): 'file' | 'document' => (connector.manifest.id === 'folder' ? 'file' : 'document');

/** Failures of the source. Anything else that is unavailable is a part of Cairn, and a call must not try that for long. */
const SOURCE_FAILURES: ReadonlySet<string> = new Set(['mesh.unavailable', 'url.unreachable']);

const isOfCairn = (code: string, kind: ErrorKind): boolean => kind === 'unavailable' && !SOURCE_FAILURES.has(code);

interface Limits {
  readonly together: number;
  readonly max: number;
  readonly isLate: () => boolean;
}

/**
 * One after the other, until `act` has returned true so many times or it is late. The first ones are never late, so each
 * call makes progress. Returns how many it was called for.
 */
const untilDone = async <T>(
  all: readonly T[],
  { together, max, isLate }: Limits,
  act: (one: T) => Promise<boolean>,
): Promise<number> => {
  let [taken, room] = [0, max];
  const worker = async (): Promise<void> => {
    while (room > 0 && taken < all.length && (taken < together || !isLate())) {
      room--;
      if (!(await act(all[taken++]!))) room++;
    }
  };
  await Promise.all(Array.from({ length: together }, worker));
  return taken;
};

const cursorOf = (ref: string): string => Buffer.from(ref).toString('base64url');

const refOf = (cursor: string): string => {
  const ref = Buffer.from(cursor, 'base64url').toString();
  // Decoding skips characters that are not base64, so many texts would pass for the same cursor.
  if (cursorOf(ref) === cursor && !ref.includes('\u0000')) return ref;
  throw fail('input.invalid', 'cursor is not one that a sync answered', { field: 'cursor' });
};

/** Documents that one call stores, and those that it looks at. */
export interface SyncLimits {
  readonly stored: number;
  readonly listed: number;
}

const SYNC_LIMITS: SyncLimits = { stored: SYNC_ENTRIES_MAX, listed: SYNC_LISTED_MAX };

/** Stores the documents of a source as items, according to the account's retention (ADR 0097, ADR 0110). */
export class AccountSync {
  /** Accounts whose sync runs in this process. */
  private readonly running = new Set<string>();

  constructor(
    private readonly registry: ConnectorRegistry,
    private readonly openAccount: OpenAccount,
    private readonly parser: Pick<DocumentParser, 'parse'>,
    private readonly clock: Clock = systemClock,
    private readonly limits: SyncLimits = SYNC_LIMITS,
  ) {}

  async sync(cairn: CairnPort, caller: Principal, accountId: string, cursor?: string): Promise<SyncResult> {
    const after = cursor === undefined ? undefined : refOf(cursor);
    const { connectorId } = await cairn.query('account.get', { accountId });
    const connector = this.registry.get(connectorId);
    if (!can(connector, 'sync') || !connector.list)
      throw fail('connector.unsupported', `the connector ${connector.manifest.id} has nothing to sync: import a file`);
    if (this.running.has(accountId)) throw fail('busy', 'this account is being synced; try again', { limit: 1 });
    this.running.add(accountId);
    try {
      const account = await this.openAccount(caller.workspaceId, accountId);
      // One more than a call looks at: it is left for the next one.
      const options = { limit: this.limits.listed + 1, signal: AbortSignal.timeout(LIST_TIMEOUT_MS) };
      const listing = connector.list(connectedOf(account), { ...options, ...(after !== undefined && { after }) });
      return await this.syncAll({ cairn, caller, connector, account }, await ofSource(listing));
    } finally {
      this.running.delete(accountId);
    }
  }

  private async syncAll(run: Run, entries: readonly SourceEntry[]): Promise<SyncResult> {
    const { refs, position } = await this.known(run, entries);
    const known = new Set(refs);
    const tally: Tally = { stored: 0, unchanged: 0, failed: 0, position, failures: [] };
    const endMs = this.clock.now() + STARTING_MS_MAX;
    const isLate = (): boolean => this.clock.now() > endMs;
    const limits = { together: SYNC_IN_FLIGHT_MAX, max: this.limits.stored, isLate };
    const listed = entries.slice(0, this.limits.listed);
    const taken = await untilDone(listed, limits, async (entry) => {
      if (!known.has(entry.ref)) return this.syncOne(run, entry, tally);
      tally.unchanged++;
      return false;
    });
    const left = entries.length - taken;
    const last = listed[taken - 1];
    return { found: entries.length, ...tally, left, nextCursor: left > 0 && last ? cursorOf(last.ref) : null };
  }

  /** Documents that need not be read again, because their source gives their version. */
  private async known(run: Run, entries: readonly SourceEntry[]): Promise<QueryAnswer<'account.known'>> {
    const documents = entries.flatMap(({ ref, isUnreadable, version = readsBody(run) ? undefined : LISTED }) =>
      version === undefined || isUnreadable ? [] : [{ ref, version }],
    );
    const refs: string[] = [];
    let position = 0;
    for (let from = 0; from === 0 || from < documents.length; from += SYNC_ENTRIES_MAX) {
      const part = documents.slice(from, from + SYNC_ENTRIES_MAX);
      const answer = await run.cairn.query('account.known', { accountId: run.account.id, documents: part });
      refs.push(...answer.refs);
      position = answer.position;
    }
    return { refs, position };
  }

  /**
   * Whether it uses up the room of a call. A document that cannot be read does not: it would do so in every call, and hide
   * those behind it.
   */
  private async syncOne(run: Run, entry: SourceEntry, tally: Tally): Promise<boolean> {
    try {
      const { outcome, position } = await this.store(run, entry);
      tally[outcome]++;
      tally.position = Math.max(tally.position, position);
      return outcome === 'stored';
    } catch (thrown) {
      const { code, message, kind } = asAppError(thrown);
      if (kind === 'defect' || code === 'account.changed' || code === 'account.not_found') throw thrown;
      tally.failed++;
      if (tally.failures.length < SYNC_FAILURES_SHOWN_MAX) tally.failures.push({ ref: entry.ref, code, message });
      return isOfCairn(code, kind);
    }
  }

  private async store(run: Run, entry: SourceEntry) {
    const { cairn, account } = run;
    if (entry.isUnreadable) throw fail('file.unreadable', 'access is denied, or the name is too long or not UTF-8');
    let { version } = entry;
    const { title, text, format } = await keptText(account.retention, entry, async () => {
      const body = await this.body(run, entry);
      version ??= body.hash;
      return body;
    });
    const result = await cairn.command('item.sync', {
      accountId: account.id,
      ref: entry.ref,
      version: version ?? LISTED,
      retention: account.retention,
      kind: kindOf(run),
      title: firstChars(title, ITEM_TITLE_CHARS_MAX),
      text,
      ...(format !== undefined && { format }),
      ...(entry.uri !== undefined && { uri: entry.uri }),
    });
    for (const itemId of result.looserIds) await cairn.command('item.forget', { itemId, surface: 'rest' });
    return result;
  }

  private async body(run: Run, entry: SourceEntry) {
    const { connector, caller } = run;
    if (!connector.hydrate) throw fail('connector.unsupported', 'this connector reads no texts');
    const limits = { signal: AbortSignal.timeout(MESH_TIMEOUT_MS), bytesMax: FILE_BYTES_MAX };
    const { name, bytes } = await ofSource(connector.hydrate(entry.ref, connectedOf(run.account), limits));
    const { title = entry.title, text, format } = await this.parser.parse({ fileName: name, bytes }, caller);
    return { title, text, format, hash: createHash('sha256').update(bytes).digest('hex') };
  }
}
