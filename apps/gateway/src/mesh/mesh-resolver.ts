import type { ConnectedAccount, Connector, ReadLimits } from '@cairn/connectors';
import {
  fail,
  MESH_BYTES_MAX,
  MESH_TEXT_TOKENS_MAX,
  MESH_TIMEOUT_MS,
  meshUri,
  parseMeshUri,
  type LocatedText,
  type MeshAddress,
  type Retention,
} from '@cairn/contracts';
import type { DocumentParser, ParsedDocument } from '@cairn/documents';
import { compactFormatOf, compactText, type Compacted } from '@cairn/graph';
import { AppError, type Clock } from '@cairn/kernel';
import type { CairnPort, MeshPort, ResolvedText } from '@cairn/mcp-tools';
import type { Metrics } from '@cairn/observability';
import type { Caller } from '../cairn/cairn-client.js';
import type { ConnectorRegistry } from '../connectors/connector-registry.js';
import { connectedOf, type OpenAccount } from '../connectors/open-account.js';
import { ofSource, sourceFailure } from '../connectors/source-failure.js';
import type { DailyTokens } from './daily-tokens.js';
import {
  checkBatch,
  MESH_CHECKS,
  reservedFor,
  type MeshCheck,
  type MeshRequest,
  type MeshState,
} from './mesh-checks.js';

export interface MeshResolverParts extends MeshState {
  readonly registry: ConnectorRegistry;
  readonly dailyTokens: DailyTokens;
  readonly openAccount: OpenAccount;
  readonly parser: Pick<DocumentParser, 'parse'>;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'meshHydrations'>;
}

type Outcome = 'hydrated' | 'local' | 'failed' | MeshCheck['name'];

const invalidUri = (): AppError =>
  fail('input.invalid', 'uri must be a mesh URI such as mesh://<connector>/<accountId>/<itemId>', { field: 'uri' });

interface Fetch {
  /** Opened only for the fetch itself, and never stored. */
  readonly account: () => Promise<ConnectedAccount<never>>;
  readonly caller: Caller;
  readonly address: MeshAddress;
  readonly located: LocatedText;
  readonly connector: Connector | undefined;
  readonly limits: ReadLimits;
}

const estimateOf = async ({ connector, located, limits, account }: Fetch): Promise<number | undefined> => {
  if (!connector?.estimate || located.ref === null) return undefined;
  const tokens = await connector.estimate(located.ref, await account(), limits);
  return tokens === undefined ? undefined : Math.min(tokens, MESH_TEXT_TOKENS_MAX);
};

/** Cuts the text by its format alone: a URI does not ask for a part of a text. */
const compacted = (text: string, format: string | undefined, sourceName: string | undefined): Compacted =>
  compactText(text, {
    format: compactFormatOf(text, { format, sourceName }),
    query: '',
    maxTokens: MESH_TEXT_TOKENS_MAX,
  });

const late = (): AppError =>
  fail('mesh.unavailable', `the source did not give the text within ${MESH_TIMEOUT_MS / 1_000} s; try again`);

/** For the trace. The caller sees the item, and may know how much of its text is stored. */
const withRetention = (thrown: unknown, retention: Retention): unknown => {
  if (!(thrown instanceof AppError)) return thrown;
  const { code, kind, message, details, cause } = thrown;
  return new AppError(code, kind, message, { ...details, retention }, cause);
};

/** The checks before may have used up the time. */
const inTime = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  if (signal.aborted) return Promise.reject(late());
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(late()), { once: true });
  });
  return Promise.race([work(), ended]);
};

/**
 * Fetches the text of an item from its source while a caller waits. Nothing that was fetched is stored or logged. An
 * item with its whole text is answered from it, without any check (ADR 0096).
 */
export class MeshResolver {
  constructor(private readonly parts: MeshResolverParts) {}

  as(caller: Caller, cairn: CairnPort): MeshPort {
    return { resolve: (uri) => this.resolve(uri, caller, cairn) };
  }

  private async resolve(uri: string, caller: Caller, cairn: CairnPort): Promise<ResolvedText> {
    const parsed = parseMeshUri(uri);
    if (!parsed) throw invalidUri();
    const { token, ...address } = parsed;
    const located = await cairn.query('mesh.locate', { ...address, ...(token !== undefined && { token }) });
    if (located.text !== null) return this.local(located.text, located, address);
    const limits = { signal: AbortSignal.timeout(MESH_TIMEOUT_MS), bytesMax: MESH_BYTES_MAX };
    const connector = this.parts.registry.find(address.connectorId);
    const fetch = { account: this.opener(caller, address), caller, address, located, connector, limits };
    return this.guarded(fetch).catch((thrown: unknown) => {
      throw withRetention(thrown, located.retention);
    });
  }

  private opener({ principal }: Caller, { accountId }: MeshAddress): Fetch['account'] {
    return async () => connectedOf(await this.parts.openAccount(principal.workspaceId, accountId));
  }

  private local(text: string, { ref }: LocatedText, address: MeshAddress): ResolvedText {
    this.count('local');
    return this.answer(compacted(text, undefined, ref ?? undefined), 'full', address);
  }

  private async guarded(fetch: Fetch): Promise<ResolvedText> {
    const undo: (() => Promise<unknown> | void)[] = [];
    let estimated: Promise<number | undefined> | undefined;
    const { workspaceId } = fetch.caller.principal;
    const day = this.parts.dailyTokens.today(workspaceId);
    const request: MeshRequest = {
      workspaceId,
      day,
      connector: fetch.connector,
      located: fetch.located,
      estimate: () => (estimated ??= ofSource(estimateOf(fetch))),
      giveBack: (one) => void undo.push(one),
    };
    const giveAllBack = async (): Promise<void> => {
      for (const one of undo.reverse()) await one();
    };
    await this.check(request).catch(async (thrown: unknown) => {
      await giveAllBack();
      throw thrown;
    });
    const leave = undo.pop();
    const hydrating = this.hydrate(fetch).catch(async (thrown: unknown) => {
      this.count('failed');
      await giveAllBack();
      throw sourceFailure(thrown);
    });
    const kept = await hydrating.finally(leave);
    const reserved = reservedFor(fetch.located, await request.estimate());
    await day.add(kept.tokens - reserved).catch((thrown: unknown) => {
      this.count('failed');
      // The reservation stays: it is unknown whether this was counted.
      throw thrown;
    });
    this.count('hydrated');
    return this.answer(kept, fetch.located.retention, fetch.address);
  }

  private async check(request: MeshRequest): Promise<void> {
    for (const { name, pass } of MESH_CHECKS) {
      try {
        await pass(request, this.parts);
      } catch (thrown) {
        this.count(name);
        throw thrown;
      }
    }
  }

  private async hydrate({ connector, located, caller, limits, account }: Fetch): Promise<Compacted> {
    const work = async (): Promise<ParsedDocument> => {
      const file = await connector!.hydrate!(located.ref!, await account(), limits);
      return this.parts.parser.parse({ fileName: file.name, bytes: file.bytes }, caller.principal);
    };
    const { text, format } = await inTime(limits.signal, work);
    const kept = compacted(text, format, undefined);
    // The source may not have known the size, or the document has grown since.
    checkBatch(Math.min(kept.of, MESH_TEXT_TOKENS_MAX), located);
    return kept;
  }

  private answer({ text, tokens, of }: Compacted, retention: Retention, address: MeshAddress): ResolvedText {
    const fetchedAt = new Date(this.parts.clock.now()).toISOString();
    const provenance = { connector: address.connectorId, uri: meshUri(address), fetchedAt };
    return { text, tokens, compacted: of > MESH_TEXT_TOKENS_MAX, retention, provenance };
  }

  private count(outcome: Outcome): void {
    this.parts.metrics.meshHydrations.inc({ outcome });
  }
}
