import { notFound } from '@cairn/access';
import { mintToken } from '@cairn/auth';
import {
  COMMANDS,
  commandSubject,
  INGEST_QUERIES,
  querySubject,
  SEARCH_QUERIES,
  systemPrincipal,
  TOKEN_REVOKED_SUBJECT,
  TOOLSETS,
  type CommandType,
  type Placed,
  type Principal,
  type QueryAnswer,
  type QueryType,
  type Tier,
  type TokenGrant,
} from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { InMemoryCairn } from '@cairn/mcp-tools/testing';
import { respond, type NatsConnection, type ParsedRequest } from '@cairn/messaging';

const encoder = new TextEncoder();

const READY = { ready: true, notes: [] };

/** Operators' requests concern services and their stores, and this harness has none. */
const OPERATOR_ANSWERS: { readonly [T in QueryType]?: () => QueryAnswer<T> } = {
  'ops.list': () => ({ items: [], nextCursor: null }),
  'op.get': () => {
    throw notFound('op');
  },
  'projections.get': () => ({ items: [] }),
  'ingest.get': () => ({ keys: { kekId: '0a1b2c3d', rotation: 'none', checkedAt: null } }),
  'ingest.check': () => READY,
  'search.check': () => READY,
  'status.get': () => ({ components: [{ name: 'search', ok: true }], degraded: false }),
};

/**
 * Ingest and search without their databases: the in-memory Cairn behind the real subjects of a real broker. A test can
 * inject a fault for each type of request.
 */
export class CairnServices {
  readonly faults = new Map<string, () => Promise<void>>();
  /** Every request that arrived, for tests that inspect what was sent. */
  readonly seen: { readonly type: string; readonly request: ParsedRequest<unknown> }[] = [];
  readonly workspaceId = uuidV7();
  /** False if the revocation message gets lost. */
  publishesRevocations = true;
  /** True if queries are answered without the predicate for the caller's folders. */
  ignoresScope = false;
  private readonly cairn = new InMemoryCairn();

  constructor(private readonly nats: NatsConnection) {
    for (const command of COMMANDS)
      this.listen(commandSubject(command.type), command, (request) => this.command(command.type, request));
    for (const query of [...SEARCH_QUERIES, ...INGEST_QUERIES])
      this.listen(querySubject(query.type), query, (request) => this.query(query.type, request));
  }

  /** A token that the services know, in the form that a client sends. */
  issue(grant: Partial<TokenGrant> = {}, instanceAdmin = false, workspaceId = this.workspaceId): string {
    const tokenId = uuidV7();
    const { token, secretHash } = mintToken(tokenId);
    const data = {
      tokenId,
      secretHash,
      name: 'test',
      agentId: 'tester',
      scopes: ['admin' as const],
      isUnscoped: true,
      folderIds: [],
      kbOnly: false,
      toolsets: [...TOOLSETS],
      rateLimitPerHour: null,
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      ...grant,
      instanceAdmin,
    };
    this.cairn.given(workspaceId, { type: 'token.issued', data });
    return token;
  }

  private listen(
    subject: string,
    { type, schema }: (typeof COMMANDS | typeof SEARCH_QUERIES | typeof INGEST_QUERIES)[number],
    handle: (request: ParsedRequest<unknown>) => Promise<unknown>,
  ): void {
    const answer = async (request: ParsedRequest<unknown>): Promise<unknown> => {
      this.seen.push({ type, request });
      await this.faults.get(type)?.();
      return handle(request);
    };
    const ignore = (): void => undefined;
    this.nats.subscribe(subject, {
      callback: (_, message) =>
        void respond(message.data, schema, answer, ignore).then((text) => message.respond(encoder.encode(text))),
    });
  }

  private async command(type: CommandType, { principal, data, id }: ParsedRequest<unknown>): Promise<unknown> {
    const result = await this.cairn.command(principal, type, data as never, id);
    if (type === 'token.revoke' && this.publishesRevocations)
      this.nats.publish(TOKEN_REVOKED_SUBJECT, (data as { readonly tokenId: string }).tokenId);
    return result;
  }

  private async query(type: QueryType, { principal, data }: ParsedRequest<unknown>): Promise<unknown> {
    const operatorAnswer = OPERATOR_ANSWERS[type];
    if (operatorAnswer) return operatorAnswer();
    const answer = await this.cairn.query(this.readerFor(principal), type, data as never);
    return placed(answer, principal.workspaceId, await this.tiersOf(principal.workspaceId));
  }

  private readerFor(principal: Principal): Principal {
    return this.ignoresScope ? { ...principal, isUnscoped: true } : principal;
  }

  private async tiersOf(workspaceId: string): Promise<ReadonlyMap<string, Tier>> {
    const query = { limit: Infinity, surface: 'rest' } as const;
    const { items } = await this.cairn.query(systemPrincipal(workspaceId), 'folders.list', query);
    return new Map(items.map(({ id, tier }) => [id, tier]));
  }
}

const folderIdOf = (thing: object): string | undefined => {
  const { folderId, id, slug } = thing as Partial<Placed & { readonly id: string; readonly slug: string }>;
  return folderId ?? (slug === undefined ? undefined : id);
};

/** Adds the placement of each result, as search does for the gateway's final check. */
const placed = (answer: unknown, workspaceId: string, tiers: ReadonlyMap<string, Tier>): unknown => {
  if (Array.isArray(answer)) return answer.map((thing) => placed(thing, workspaceId, tiers));
  if (typeof answer !== 'object' || answer === null) return answer;
  const inner = Object.entries(answer).map(([name, value]) => [name, placed(value, workspaceId, tiers)]);
  const tier = tiers.get(folderIdOf(answer) ?? '');
  return { ...Object.fromEntries(inner), ...(tier && { placement: { workspaceId, tier } }) };
};
