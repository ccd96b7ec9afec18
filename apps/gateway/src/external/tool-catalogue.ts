import {
  asAppError,
  EXTERNAL_CATALOGUE_MS,
  EXTERNAL_LISTING_WAIT_MS,
  fail,
  type OpenedServer,
  type ToolPin,
} from '@cairn/contracts';
import { fingerprintOf, type Discovery, type ExternalServers, type ExternalTool } from '@cairn/external-mcp';
import type { AppError, Clock } from '@cairn/kernel';
import type { Logger, Metrics } from '@cairn/observability';
import { LRUCache } from 'lru-cache';
import { pinsOf, toolStateOf, type ToolState } from './tool-state.js';

export interface CatalogueParts {
  readonly external: Pick<ExternalServers, 'discover' | 'disconnect'>;
  /** The servers of a workspace, with decrypted credentials. */
  readonly open: (workspaceId: string) => Promise<readonly OpenedServer[]>;
  /** Records the definitions of a first discovery. */
  readonly pin: (workspaceId: string, serverId: string, tools: readonly ToolPin[]) => Promise<unknown>;
  /** Throws for an address that is not allowed. */
  readonly checkUrl: (url: string) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The result of a discovery, or why it failed. While it is in progress, the result of the previous one counts. */
interface Look {
  readonly key: string;
  readonly startedAtMs: number;
  readonly done: Promise<void>;
  isInProgress: boolean;
  /** The server is queried again at the next look, but only after this one. */
  isStale: boolean;
  discovery: Discovery | undefined;
  /** Approved definitions of earlier looks that the server no longer has. The log holds hashes only. */
  earlier: readonly ExternalTool[];
  error?: AppError;
}

/** A server as this gateway currently sees it. */
export interface SeenServer {
  readonly server: OpenedServer;
  readonly discovery: Discovery | undefined;
  readonly error: AppError | undefined;
  readonly tools: readonly {
    readonly tool: ExternalTool;
    readonly state: ToolState;
    /** True if a tool of this name was approved, in its present or an earlier form. */
    readonly wasApproved: boolean;
    /** The approved definition, if the tool has changed since and this replica has seen it before. */
    readonly approved: ExternalTool | undefined;
  }[];
}

const WORKSPACES_MAX = 1_000;
/** A server that failed is queried again sooner than one that answered. */
const FAILED_MS = 5_000;

const late = (): AppError => fail('server.timeout', 'the external server has not listed its tools yet; try again');

/**
 * The inputs of a discovery: the server's address, its name, which is part of the names of its tools, and its approval,
 * which decides whether the discovery pins its tools.
 */
const lookKey = (server: OpenedServer): string => `${server.name}:${server.approval}:${fingerprintOf(server)}`;

const isPinned = ({ pins }: OpenedServer, tool: ExternalTool): boolean =>
  pins.some(({ name, hash }) => name === tool.name && hash === tool.hash);

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

/**
 * The external servers of a workspace and the tools they offer. The log's record of a server counts from its notice on;
 * the server itself is queried at most once a minute, and a caller never waits for it longer than the limit.
 */
export class ToolCatalogue {
  private readonly opened = new LRUCache<string, Promise<readonly OpenedServer[]>>({
    max: WORKSPACES_MAX,
    ttl: EXTERNAL_CATALOGUE_MS,
    ttlAutopurge: true,
  });
  private readonly looks = new LRUCache<string, Look>({ max: WORKSPACES_MAX });

  constructor(private readonly parts: CatalogueParts) {}

  /** Called when the servers of a workspace have changed. */
  invalidate(workspaceId: string): void {
    this.opened.delete(workspaceId);
  }

  /** Called when a server has changed, perhaps through another replica: a disabled one is disconnected now, not at the next list. */
  changed(workspaceId: string, serverId: string): void {
    this.invalidate(workspaceId);
    if (this.looks.has(serverId)) this.servers(workspaceId).catch(() => undefined);
  }

  /** The server is queried again at the next look. */
  stale(serverId: string): void {
    const look = this.looks.get(serverId);
    if (look) look.isStale = true;
  }

  /** Waits for a look in progress: it may have begun before the change that a person wants to see. */
  async idle(serverId: string): Promise<void> {
    await this.looks.get(serverId)?.done;
  }

  /** Called when a server was removed: it is dropped from memory and its connections end. */
  ended(serverId: string): void {
    this.looks.delete(serverId);
    this.parts.external.disconnect(serverId);
  }

  /** Starts the work that a caller will soon need, without waiting for it. */
  warm(workspaceId: string): void {
    void this.seen(workspaceId).catch(() => undefined);
  }

  /** Every server of a workspace, with what is known about it, after the limit at the latest. */
  async seen(workspaceId: string, waitMs = EXTERNAL_LISTING_WAIT_MS): Promise<SeenServer[]> {
    const waited = delay(waitMs);
    const servers = await this.servers(workspaceId);
    const looks = servers.filter(({ enabled }) => enabled).map((server) => this.look(workspaceId, server));
    await Promise.race([Promise.all(looks.map(({ done }) => done)), waited]);
    // A first discovery has pinned its tools by now.
    return (await this.servers(workspaceId)).map((server) => this.seenOf(server));
  }

  /** The result of the last finished look at a server. The server is not queried. */
  async lastSeen(workspaceId: string, serverId: string): Promise<SeenServer | undefined> {
    const server = (await this.servers(workspaceId)).find(({ id }) => id === serverId);
    return server && this.seenOf(server);
  }

  private seenOf(server: OpenedServer): SeenServer {
    const look = server.enabled ? this.current(server) : undefined;
    const tools = (look?.discovery?.tools ?? []).map((tool) => ({
      tool,
      state: toolStateOf(server, tool),
      wasApproved: server.pins.some(({ name }) => name === tool.name),
      approved: look?.earlier.find((earlier) => earlier.name === tool.name && isPinned(server, earlier)),
    }));
    const error = server.enabled && !look?.discovery ? (look?.error ?? late()) : undefined;
    return { server, discovery: look?.discovery, error, tools };
  }

  private async servers(workspaceId: string): Promise<readonly OpenedServer[]> {
    const known = this.opened.get(workspaceId);
    if (known) return known;
    const opening = this.parts.open(workspaceId).then((servers) => {
      for (const server of servers) this.endOthers(server);
      return servers;
    });
    this.opened.set(workspaceId, opening);
    opening.catch(() => this.opened.get(workspaceId) === opening && this.opened.delete(workspaceId));
    return opening;
  }

  /** Ends connections to a former address of the server, or all of them if it is disabled. */
  private endOthers(server: OpenedServer): void {
    this.parts.external.disconnect(server.id, server.enabled ? fingerprintOf(server) : undefined);
  }

  private current(server: OpenedServer): Look | undefined {
    const look = this.looks.get(server.id);
    return look?.key === lookKey(server) ? look : undefined;
  }

  private isFresh({ isInProgress, isStale, discovery, startedAtMs }: Look): boolean {
    if (isInProgress || isStale) return isInProgress;
    return this.parts.clock.now() - startedAtMs < (discovery ? EXTERNAL_CATALOGUE_MS : FAILED_MS);
  }

  private look(workspaceId: string, server: OpenedServer): Look {
    const known = this.current(server);
    if (known && this.isFresh(known)) return known;
    const look: Look = {
      key: lookKey(server),
      startedAtMs: this.parts.clock.now(),
      isInProgress: true,
      isStale: false,
      discovery: known?.discovery,
      earlier: [...(known?.earlier ?? []), ...(known?.discovery?.tools ?? [])].filter((tool) => isPinned(server, tool)),
      done: Promise.resolve().then(() => this.discover(workspaceId, server, look)),
    };
    this.looks.set(server.id, look);
    return look;
  }

  private async discover(workspaceId: string, server: OpenedServer, look: Look): Promise<void> {
    const { external, checkUrl, logger } = this.parts;
    try {
      checkUrl(server.secrets.url);
      const discovery = await external.discover(server);
      await this.pinFirst(workspaceId, server, discovery);
      look.discovery = discovery;
      look.earlier = look.earlier.filter(({ hash }) => !discovery.tools.some((tool) => tool.hash === hash));
    } catch (thrown) {
      look.discovery = undefined;
      look.error = asAppError(thrown);
      logger.info(
        { workspace: workspaceId, serverId: server.id, code: look.error.code },
        'an external server is left out',
      );
    }
    look.isInProgress = false;
    this.measure();
  }

  private async pinFirst(
    workspaceId: string,
    { id, approval, pins }: OpenedServer,
    { tools }: Discovery,
  ): Promise<void> {
    if (approval !== 'first-use' || pins.length > 0 || tools.length === 0) return;
    await this.parts.pin(workspaceId, id, pinsOf(tools));
    this.invalidate(workspaceId);
  }

  private measure(): void {
    const looks = [...this.looks.values()];
    const { externalServers } = this.parts.metrics;
    externalServers.set({ state: 'connected' }, looks.filter(({ discovery }) => discovery).length);
    externalServers.set({ state: 'unavailable' }, looks.filter(({ error }) => error).length);
  }
}
