import {
  COMMANDS,
  commandSubject,
  fail,
  INGEST_QUERIES,
  querySubject,
  SEARCH_QUERIES,
  TOKEN_REVOKED_SUBJECT,
  TOOLSETS,
  type CommandData,
  type FolderView,
  type QueryAnswer,
  type QueryData,
  type ResolvedToken,
  type TokenGrant,
  type TokenView,
  type WorkspaceView,
} from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { mintToken } from '@cairn/auth';
import { InMemoryCairn } from '@cairn/mcp-tools/testing';
import { respond, type NatsConnection, type ParsedRequest } from '@cairn/messaging';

type Handler = (data: never, request: ParsedRequest<unknown>) => unknown;

interface HeldToken {
  readonly grant: TokenGrant;
  readonly workspaceId: string;
  readonly instanceAdmin: boolean;
  isRevoked: boolean;
}

const encoder = new TextEncoder();

/**
 * Ingest and search without their databases: answers the real subjects on a real broker, from maps. Faults can be put in
 * front of any subject type through `faults`.
 */
export class CairnServices {
  readonly items = new InMemoryCairn();
  readonly faults = new Map<string, () => Promise<void>>();
  /** Every request that arrived, for tests that look at what was sent. */
  readonly seen: { readonly type: string; readonly request: ParsedRequest<unknown> }[] = [];
  readonly workspaceId = uuidV7();
  private readonly tokens = new Map<string, HeldToken>();
  private readonly folders = new Map<string, FolderView & { workspaceId: string }>();
  private readonly workspaces: WorkspaceView[] = [];
  private readonly carriedOut = new Map<string, unknown>();
  private quotaLimit: number | null = null;
  private position = 1000;

  /** False: the message that a token was revoked gets lost. */
  tellsRevocations = true;

  constructor(private readonly nats: NatsConnection) {
    for (const { type, schema } of COMMANDS) this.listen(nats, commandSubject(type), type, schema);
    for (const { type, schema } of [...SEARCH_QUERIES, ...INGEST_QUERIES])
      this.listen(nats, querySubject(type), type, schema);
  }

  /** A token that the services know, as the text a client sends. */
  issue(grant: Partial<TokenGrant> = {}, instanceAdmin = false, workspaceId = this.workspaceId): string {
    const tokenId = uuidV7();
    const { token, secretHash } = mintToken(tokenId);
    this.hold(workspaceId, instanceAdmin, {
      tokenId,
      secretHash,
      name: 'test',
      agentId: 'tester',
      scopes: ['admin'],
      isUnscoped: true,
      folderIds: [],
      kbOnly: false,
      toolsets: [...TOOLSETS],
      rateLimitPerHour: null,
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      ...grant,
    });
    return token;
  }

  private listen(
    nats: NatsConnection,
    subject: string,
    type: string,
    schema:
      | (typeof COMMANDS)[number]['schema']
      | (typeof SEARCH_QUERIES)[number]['schema']
      | (typeof INGEST_QUERIES)[number]['schema'],
  ): void {
    nats.subscribe(subject, {
      callback: (_, message) => {
        const answer = respond(
          message.data,
          schema,
          (request) => this.answer(type, request),
          () => undefined,
        );
        void answer.then((text) => message.respond(encoder.encode(text)));
      },
    });
  }

  private async answer(type: string, request: ParsedRequest<unknown>): Promise<unknown> {
    this.seen.push({ type, request });
    await this.faults.get(type)?.();
    const own = this.handlers[type];
    if (own) return own(request.data as never, request);
    const isCommand = COMMANDS.some((command) => command.type === type);
    return isCommand
      ? this.items.command(request.principal, type as 'item.store', request.data as never)
      : withPlacement(
          await this.items.query(request.principal, type as 'item.get', request.data as never),
          request.principal.workspaceId,
        );
  }

  private readonly handlers: Record<string, Handler> = {
    'token.resolve': (data: QueryData<'token.resolve'>) => this.resolve(data),
    'token.issue': (data: CommandData<'token.issue'>, { principal, id }) =>
      this.once(principal.workspaceId, id, () => {
        this.hold(principal.workspaceId, false, data);
        return { tokenId: data.tokenId, position: ++this.position };
      }),
    'token.revoke': ({ tokenId }: CommandData<'token.revoke'>) => {
      const held = this.tokens.get(tokenId);
      if (!held) throw fail('token.not_found', 'there is no such token');
      held.isRevoked = true;
      if (this.tellsRevocations) this.nats.publish(TOKEN_REVOKED_SUBJECT, tokenId);
      return { tokenId, position: ++this.position };
    },
    'tokens.ended': ({ tokenIds }: QueryData<'tokens.ended'>) => ({
      tokenIds: tokenIds.filter((tokenId) => !this.isGood(this.tokens.get(tokenId))),
    }),
    'tokens.list': (_, { principal }) => {
      const own = [...this.tokens.values()].filter(({ workspaceId }) => workspaceId === principal.workspaceId);
      return { items: own.map(viewOf), nextCursor: null };
    },
    'workspace.create': (data: CommandData<'workspace.create'>, { id }) =>
      this.once(data.workspaceId, id, () => {
        const { workspaceId, slug, name } = data;
        this.workspaces.push({ id: workspaceId, slug, name, createdAt: new Date().toISOString() });
        this.hold(workspaceId, false, data.adminToken);
        return { workspaceId, position: ++this.position };
      }),
    'workspaces.list': () => ({ items: this.workspaces, nextCursor: null }),
    'folder.create': (data: CommandData<'folder.create'>, { principal }) => {
      const { folderId, ...rest } = data;
      const createdAt = new Date().toISOString();
      this.folders.set(folderId, { id: folderId, ...rest, createdAt, workspaceId: principal.workspaceId });
      return { folderId, position: ++this.position };
    },
    'folder.configure': ({ folderId, ...change }: CommandData<'folder.configure'>) => {
      const given = Object.entries(change).filter(([, value]) => value !== undefined);
      this.folders.set(folderId, { ...this.folder(folderId), ...Object.fromEntries(given) });
      return { folderId, position: ++this.position };
    },
    'folders.list': () => ({ items: [...this.folders.keys()].map((id) => this.folder(id)), nextCursor: null }),
    'folder.get': ({ folderId }: QueryData<'folder.get'>) => this.folder(folderId),
    'quota.set': ({ name, limit }: CommandData<'quota.set'>) => {
      this.quotaLimit = limit;
      return { name, position: ++this.position };
    },
    'quotas.get': () => ({ knowledge_stored: { limit: this.quotaLimit, used: 2 } }),
    'confirmations.list': () => ({ items: [], nextCursor: null }),
    'confirmation.resolve': () => {
      throw fail('confirmation.not_found', 'there is no such confirmation');
    },
    'ops.list': () => ({ items: [], nextCursor: null }),
    'op.get': () => {
      throw fail('op.not_found', 'there is no such op');
    },
    'projections.get': () => ({ items: [] }),
    'ingest.get': () => ({ keys: { kekId: '0a1b2c3d', rotation: 'none', checkedAt: null } }),
    'ingest.check': () => ({ ready: true, notes: [] }),
    'search.check': () => ({ ready: true, notes: [] }),
    'status.get': () => ({ components: [{ name: 'search', ok: true }], degraded: false }),
  };

  /** A command id that was seen in its workspace gets the answer of the first time. */
  private once(workspaceId: string, id: string, carryOut: () => unknown): unknown {
    const key = `${workspaceId}:${id}`;
    if (!this.carriedOut.has(key)) this.carriedOut.set(key, carryOut());
    return this.carriedOut.get(key);
  }

  private hold(workspaceId: string, instanceAdmin: boolean, grant: TokenGrant): void {
    this.tokens.set(grant.tokenId, { grant, workspaceId, instanceAdmin, isRevoked: false });
  }

  private folder(folderId: string): QueryAnswer<'folder.get'> & { workspaceId: string } {
    const folder = this.folders.get(folderId);
    if (!folder) throw fail('folder.not_found', 'there is no such folder');
    const { workspaceId, tier } = folder;
    return { ...folder, placement: { workspaceId, tier } };
  }

  private isGood(held: HeldToken | undefined): boolean {
    return held !== undefined && !held.isRevoked && Date.parse(held.grant.expiresAt) > Date.now();
  }

  private resolve({ tokenId, secretHash }: QueryData<'token.resolve'>): ResolvedToken | null {
    const held = this.tokens.get(tokenId);
    if (!held || !this.isGood(held) || held.grant.secretHash !== secretHash) return null;
    const { agentId, scopes, isUnscoped, folderIds, kbOnly, toolsets, expiresAt, rateLimitPerHour } = held.grant;
    const { workspaceId, instanceAdmin } = held;
    const principal = { workspaceId, tokenId, agentId, scopes, isUnscoped, folderIds, kbOnly, toolsets, instanceAdmin };
    return { principal, expiresAt, rateLimitPerHour };
  }
}

/** Says of everything in a folder where it lies, as search does. */
const withPlacement = (answer: unknown, workspaceId: string): unknown => {
  if (Array.isArray(answer)) return answer.map((thing) => withPlacement(thing, workspaceId));
  if (typeof answer !== 'object' || answer === null) return answer;
  const inner = Object.entries(answer).map(([name, value]) => [name, withPlacement(value, workspaceId)]);
  const placement = 'folderId' in answer ? { placement: { workspaceId, tier: 'personal' } } : {};
  return { ...Object.fromEntries(inner), ...placement };
};

const viewOf = ({ grant, isRevoked }: HeldToken): TokenView => {
  const { tokenId, secretHash: _, ...rest } = grant;
  const createdAt = new Date(0).toISOString();
  return { id: tokenId, ...rest, revokedAt: isRevoked ? createdAt : null, createdAt };
};
