import { AsyncLocalStorage } from 'node:async_hooks';
import {
  EXTERNAL_IMAGE_BYTES_MAX,
  EXTERNAL_LIST_BYTES_MAX,
  EXTERNAL_LIST_PAGES_MAX,
  EXTERNAL_RESULT_BYTES_MAX,
  fail,
  type OpenedServer,
  type ServerCredential,
} from '@cairn/contracts';
import { pinnedFetch, type FetchPolicy } from '@cairn/web-fetch';
import {
  Client,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type jsonSchemaValidator,
  type PriorDiscovery,
} from '@modelcontextprotocol/client';
import type { GivenTool } from './definition.js';
import { failureOf } from './failure.js';
import type { GivenResult } from './result.js';

/** The protocol of a server: revision 2026-07-28, an earlier one with sessions, or HTTP+SSE. */
export type ExternalEra = 'stateless' | 'initialize' | 'sse';

export interface ConnectionOptions extends Pick<FetchPolicy, 'localOrigins' | 'resolve'> {
  /** Called when the server reports that its tools have changed. */
  readonly onListChanged: () => void;
}

/** What a connection has learned about its server, so that the next one need not probe again. */
export interface Verdict {
  readonly era: ExternalEra;
  readonly prior?: PriorDiscovery;
}

const INFO = { name: 'cairn', version: '1.0.0' };
/** Images travel as base64 inside JSON. */
const RESPONSE_BYTES_MAX = EXTERNAL_RESULT_BYTES_MAX + Math.ceil((EXTERNAL_IMAGE_BYTES_MAX * 4) / 3) + 65_536;
/** The statuses with which a server of the oldest transport refuses the newer ones. */
const OLD_TRANSPORT = [400, 404, 405, 406, 415];

/**
 * No schema of a third party is compiled: the schemas of results are ignored, and arguments are checked before the
 * call.
 */
const NO_VALIDATION: jsonSchemaValidator = {
  getValidator: () => (input: unknown) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

const headersOf = (credential: OpenedServer['secrets']['credential'] | ServerCredential): Record<string, string> => {
  if (!credential) return {};
  return credential.kind === 'bearer'
    ? { authorization: `Bearer ${credential.value}` }
    : { [credential.name ?? '']: credential.value };
};

const isOldTransport = (thrown: unknown): boolean =>
  thrown instanceof SdkHttpError && OLD_TRANSPORT.includes(thrown.status ?? 0);

/** `http` covers the newer transports of any revision, `sse` the oldest one. */
type Kind = 'http' | 'sse';

const NO_RETRY = {
  maxRetries: 0,
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 1_000,
  reconnectionDelayGrowFactor: 1,
};

export interface Deadline {
  readonly signal: AbortSignal;
  readonly ms: number;
}

interface Call {
  readonly ending: AbortController;
  /** The limit of each of its answers. */
  readonly bytesMax: number;
}

const listTooLarge = () =>
  fail('server.too_large', `the tools of an external server must take at most ${EXTERNAL_LIST_BYTES_MAX} bytes`, {
    limit: EXTERNAL_LIST_BYTES_MAX,
  });

/**
 * One client of one external server. It declares no capability: the server may offer tools, but may not request
 * anything.
 */
export class ExternalConnection {
  /** Aborted by a failure outside a call: on the stream on which a server of an earlier revision answers. */
  private readonly broken = new AbortController();
  /** The call that a request belongs to, so that a failed request ends only its own call. */
  private readonly calls = new AsyncLocalStorage<Call>();

  private constructor(
    private readonly server: OpenedServer,
    private readonly options: ConnectionOptions,
    private readonly client: Client,
    private readonly kind: Kind,
  ) {}

  static async open(
    server: OpenedServer,
    options: ConnectionOptions,
    deadline: Deadline,
    known?: Verdict,
  ): Promise<ExternalConnection> {
    const { transport } = server;
    if (transport === 'sse' || known?.era === 'sse')
      return ExternalConnection.connect(server, options, deadline, 'sse');
    try {
      return await ExternalConnection.connect(server, options, deadline, 'http', known?.prior);
    } catch (thrown) {
      if (transport !== 'auto' || !isOldTransport(thrown)) throw failureOf(thrown, deadline.ms);
      return ExternalConnection.connect(server, options, deadline, 'sse');
    }
  }

  private static async connect(
    server: OpenedServer,
    options: ConnectionOptions,
    deadline: Deadline,
    kind: Kind,
    prior?: PriorDiscovery,
  ): Promise<ExternalConnection> {
    const client = new Client(INFO, {
      capabilities: {},
      versionNegotiation: { mode: kind === 'sse' ? 'legacy' : 'auto' },
      inputRequired: { autoFulfill: false },
      listMaxPages: EXTERNAL_LIST_PAGES_MAX,
      jsonSchemaValidator: NO_VALIDATION,
    });
    const connection = new ExternalConnection(server, options, client, kind);
    await connection.start(deadline, prior);
    return connection;
  }

  get verdict(): Verdict {
    if (this.kind === 'sse') return { era: 'sse' };
    const discover = this.client.getDiscoverResult();
    if (this.client.getProtocolEra() === 'modern' && discover)
      return { era: 'stateless', prior: { kind: 'modern', discover } };
    return { era: 'initialize', prior: { kind: 'legacy' } };
  }

  onEnd(listener: () => void): void {
    if (this.broken.signal.aborted) listener();
    else this.broken.signal.addEventListener('abort', listener, { once: true });
  }

  async listTools(deadline: Deadline): Promise<readonly GivenTool[]> {
    const { tools } = await this.run(
      deadline,
      (signal) => this.client.listTools(undefined, { signal, timeout: deadline.ms, cacheMode: 'refresh' }),
      EXTERNAL_LIST_BYTES_MAX,
    );
    // Checks all pages together. Over HTTP+SSE no page was limited before: all answers share one stream.
    if (Buffer.byteLength(JSON.stringify(tools)) > EXTERNAL_LIST_BYTES_MAX) throw listTooLarge();
    return tools;
  }

  /** Sent once: a server may have carried out the call before its answer was lost. */
  async callTool(name: string, args: Record<string, unknown>, deadline: Deadline): Promise<GivenResult> {
    const result = await this.run(deadline, (signal) =>
      this.client.callTool({ name, arguments: args }, { signal, timeout: deadline.ms, maxTotalTimeout: deadline.ms }),
    );
    return result;
  }

  async close(): Promise<void> {
    this.break(new Error('the connection is closed'));
    await this.client.close().catch(() => undefined);
  }

  private async start(deadline: Deadline, prior?: PriorDiscovery): Promise<void> {
    const url = new URL(this.server.secrets.url);
    const requestInit = { headers: headersOf(this.server.secrets.credential) };
    const fetch = this.fetchTo(url.origin);
    const transport =
      this.kind === 'sse'
        ? new SSEClientTransport(url, { requestInit, fetch })
        : new StreamableHTTPClientTransport(url, { requestInit, fetch, reconnectionOptions: NO_RETRY });
    this.client.setNotificationHandler('notifications/tools/list_changed', () => this.options.onListChanged());
    try {
      await this.run(deadline, (signal) =>
        this.client.connect(transport, { signal, timeout: deadline.ms, ...(prior && { prior }) }),
      );
    } catch (thrown) {
      await this.close();
      throw thrown;
    }
    // Set only now: a refused handshake closes the client too, and its own error is more precise.
    this.client.onclose = () => this.break(new Error('the server closed the connection'));
  }

  private fetchTo(origin: string) {
    const { localOrigins, resolve } = this.options;
    const policy = { origin, localOrigins, ...(resolve && { resolve }) };
    return (input: string | URL, init?: RequestInit): Promise<Response> => {
      // A failed request is reported to the call that it belongs to, wherever its body is read.
      const call = this.calls.getStore();
      const isStream = (init?.method ?? 'GET') === 'GET';
      const bytesMax = isStream ? RESPONSE_BYTES_MAX : (call?.bytesMax ?? RESPONSE_BYTES_MAX);
      const onFault = (error: Error): void => (isStream ? this.streamEnded(error) : call?.ending.abort(error));
      const onEnd = (): void => void (isStream && this.streamEnded(new Error('the server ended its stream')));
      return pinnedFetch({ ...policy, bytesMax, onFault, onEnd })(input, init);
    };
  }

  /** The stream of a session is optional: many servers refuse it. Over HTTP+SSE it carries every answer. */
  private streamEnded(reason: Error): void {
    if (this.kind === 'sse') this.break(reason);
  }

  /** Closes the client too: over HTTP+SSE it would otherwise reopen its stream by itself. */
  private break(reason: Error): void {
    if (this.broken.signal.aborted) return;
    this.broken.abort(reason);
    void this.client.close().catch(() => undefined);
  }

  /** Ends with the first of these: the answer, a failure of its own request or of the connection, the deadline. */
  private async run<T>(
    deadline: Deadline,
    work: (signal: AbortSignal) => Promise<T>,
    bytesMax = RESPONSE_BYTES_MAX,
  ): Promise<T> {
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, this.broken.signal, deadline.signal]);
    const ended = new Promise<never>((_, reject) => {
      if (signal.aborted) reject(signal.reason as Error);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    ended.catch(() => undefined);
    const working = this.calls.run({ ending, bytesMax }, () => work(signal));
    working.catch(() => undefined);
    return Promise.race([working, ended]);
  }
}
