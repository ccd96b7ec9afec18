import { createHash } from 'node:crypto';
import {
  EXTERNAL_CALL_MS_MAX,
  EXTERNAL_DISCOVERY_MS_MAX,
  EXTERNAL_IDLE_MS_MAX,
  type OpenedServer,
} from '@cairn/contracts';
import { systemClock, type Clock } from '@cairn/kernel';
import type { FetchPolicy } from '@cairn/web-fetch';
import { canonicalJson } from './canonical-json.js';
import { ExternalConnection, type Deadline, type ExternalEra, type Verdict } from './connection.js';
import { externalTools, type ExternalTool } from './definition.js';
import { failureOf } from './failure.js';
import { cleanResult, type ExternalResult } from './result.js';
import { checkArguments } from './schema-check.js';

export interface Discovery {
  readonly era: ExternalEra;
  readonly tools: readonly ExternalTool[];
}

export interface ExternalServersOptions extends Pick<FetchPolicy, 'localOrigins' | 'resolve'> {
  /** Called when a server reports that its tools have changed. */
  readonly onListChanged?: (serverId: string) => void;
  readonly clock?: Clock;
  readonly discoveryMs?: number;
  readonly callMs?: number;
}

interface Pooled {
  readonly key: string;
  readonly opening: Promise<ExternalConnection>;
  usedAtMs: number;
  inUse: number;
}

const SWEEP_INTERVAL_MS = 30_000;

/** Identifies where and how a server is reached, without revealing it. */
export const fingerprintOf = ({ transport, secrets }: OpenedServer): string =>
  createHash('sha256')
    .update(canonicalJson([transport, secrets]))
    .digest('hex');

const keyOf = (server: OpenedServer): string => `${server.id}:${fingerprintOf(server)}`;

/** The clients of external servers: one for each, opened on first use, closed after a time without use. */
export class ExternalServers {
  private readonly pool = new Map<string, Pooled>();
  /** Connections on which a request failed. They get no further request and are closed after the last one in flight. */
  private readonly retired = new Set<Pooled>();
  private readonly verdicts = new Map<string, Verdict>();
  private readonly clock: Clock;
  private readonly sweeper: NodeJS.Timeout;

  constructor(private readonly options: ExternalServersOptions) {
    this.clock = options.clock ?? systemClock;
    this.sweeper = setInterval(() => this.sweep(), SWEEP_INTERVAL_MS).unref();
  }

  /** The tools that a server offers now. */
  async discover(server: OpenedServer): Promise<Discovery> {
    const { discoveryMs = EXTERNAL_DISCOVERY_MS_MAX } = this.options;
    return this.use(server, discoveryMs, async (connection, deadline) => ({
      era: connection.verdict.era,
      tools: externalTools(server.name, await connection.listTools(deadline)),
    }));
  }

  /** Calls a tool in its approved form. The arguments are checked before anything is sent. */
  async call(server: OpenedServer, tool: ExternalTool, args: unknown): Promise<ExternalResult> {
    const { callMs = EXTERNAL_CALL_MS_MAX } = this.options;
    const checked = checkArguments(tool.inputSchema, args);
    return this.use(server, callMs, async (connection, deadline) =>
      cleanResult(tool.listedAs, await connection.callTool(tool.name, checked, deadline)),
    );
  }

  /** Ends the connections of a server that was changed, disabled or removed. */
  disconnect(serverId: string, exceptFingerprint?: string): void {
    const isOver = (key: string): boolean =>
      key.startsWith(`${serverId}:`) && key !== `${serverId}:${exceptFingerprint}`;
    for (const pooled of this.connections()) if (isOver(pooled.key)) void this.end(pooled);
    for (const key of this.verdicts.keys()) if (isOver(key)) this.verdicts.delete(key);
  }

  async close(): Promise<void> {
    clearInterval(this.sweeper);
    await Promise.all(this.connections().map((pooled) => this.end(pooled)));
  }

  /** Also called by the timer. */
  sweep(): void {
    const oldest = this.clock.now() - EXTERNAL_IDLE_MS_MAX;
    for (const pooled of this.pool.values()) if (pooled.inUse === 0 && pooled.usedAtMs < oldest) void this.end(pooled);
  }

  private async use<T>(
    server: OpenedServer,
    ms: number,
    work: (connection: ExternalConnection, deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    const deadline = { signal: AbortSignal.timeout(ms), ms };
    const key = keyOf(server);
    const pooled = this.pooled(server, key, deadline);
    pooled.inUse++;
    try {
      const connection = await pooled.opening;
      this.verdicts.set(key, connection.verdict);
      return await work(connection, deadline);
    } catch (thrown) {
      const error = failureOf(thrown, ms);
      // A refusal is an answer; after any other failure, the connection and its verdict are no longer trusted.
      if (!['server.refused', 'input.invalid', 'server.too_large'].includes(error.code)) this.retire(pooled);
      throw error;
    } finally {
      pooled.inUse--;
      pooled.usedAtMs = this.clock.now();
      if (pooled.inUse === 0 && this.retired.has(pooled)) void this.end(pooled);
    }
  }

  private pooled(server: OpenedServer, key: string, deadline: Deadline): Pooled {
    const known = this.pool.get(key);
    if (known) return known;
    const { localOrigins, resolve, onListChanged } = this.options;
    const options = { localOrigins, ...(resolve && { resolve }), onListChanged: () => onListChanged?.(server.id) };
    const opening = ExternalConnection.open(server, options, deadline, this.verdicts.get(key));
    const pooled = { key, opening, usedAtMs: this.clock.now(), inUse: 0 };
    this.pool.set(key, pooled);
    const remove = (): void => this.remove(pooled);
    opening.then((connection) => connection.onEnd(remove), remove);
    return pooled;
  }

  private connections(): Pooled[] {
    return [...this.pool.values(), ...this.retired];
  }

  /** Does not close it: other calls may be in flight, and the server may have carried them out already. */
  private retire(pooled: Pooled): void {
    this.remove(pooled);
    this.retired.add(pooled);
    this.verdicts.delete(pooled.key);
  }

  private remove(pooled: Pooled): void {
    if (this.pool.get(pooled.key) === pooled) this.pool.delete(pooled.key);
  }

  private async end(pooled: Pooled): Promise<void> {
    this.remove(pooled);
    this.retired.delete(pooled);
    await pooled.opening.then((connection) => connection.close()).catch(() => undefined);
  }
}
