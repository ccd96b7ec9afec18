import { systemPrincipal, TOOLSETS, type CommandData, type CommandResult, type Principal } from '@cairn/contracts';
import { AppError, uuidV7 } from '@cairn/kernel';
import type { CairnPort } from './cairn.port.js';

/** Returns the port of a principal: on the in-memory Cairn, or on the product. */
export type OpenCairn = (principal: Principal) => CairnPort;

export const itemData = (more: Partial<CommandData<'item.store'>> = {}): CommandData<'item.store'> => ({
  title: 'Lighthouse',
  text: 'The keeper trims the wick.',
  inKb: true,
  kind: 'knowledge',
  tags: [],
  source: { kind: 'agent' },
  surface: 'rest',
  confidence: 80,
  expiresAt: null,
  ...more,
});

/** A separate workspace for a test, and the ports of its callers. */
export class TestWorkspace {
  readonly id = uuidV7();
  readonly inboxId = uuidV7();
  readonly slug = `w-${this.id}`;
  readonly admin: CairnPort;

  private constructor(private readonly open: OpenCairn) {
    this.admin = this.as({});
  }

  static async create(open: OpenCairn): Promise<TestWorkspace> {
    const workspace = new TestWorkspace(open);
    const { id: workspaceId, inboxId: folderId, slug } = workspace;
    const adminToken = workspace.grant({ scopes: ['admin'] });
    const data = { workspaceId, slug, name: 'A workspace', folderId, adminToken, instanceAdmin: false };
    await open(systemPrincipal(workspaceId)).command('workspace.create', data);
    return workspace;
  }

  /** The port of an unscoped admin, with the given differences. */
  as(more: Partial<Principal>): CairnPort {
    const caller = { ...systemPrincipal(this.id), tokenId: uuidV7(), agentId: 'alice', instanceAdmin: false };
    return this.open({ ...caller, ...more });
  }

  /** An agent that may read and write these folders. */
  scopedTo(folderIds: readonly string[], more: Partial<Principal> = {}): CairnPort {
    return this.as({ scopes: ['read', 'write'], isUnscoped: false, folderIds: [...folderIds], ...more });
  }

  grant(more: Partial<CommandData<'token.issue'>> = {}): CommandData<'token.issue'> {
    return {
      tokenId: uuidV7(),
      secretHash: 'a'.repeat(64),
      name: 'A token',
      agentId: 'alice',
      scopes: ['read'],
      isUnscoped: true,
      folderIds: [],
      kbOnly: false,
      toolsets: [...TOOLSETS],
      rateLimitPerHour: null,
      expiresAt: '2099-01-01T00:00:00.000Z',
      ...more,
    };
  }

  async folder(slug: string, more: Partial<CommandData<'folder.create'>> = {}): Promise<string> {
    const folderId = uuidV7();
    const folder = { slug, name: slug, tier: 'personal' as const, maxTokensPerRecall: null, readme: '', ...more };
    await this.admin.command('folder.create', { folderId, ...folder });
    return folderId;
  }

  store(more: Partial<CommandData<'item.store'>> = {}, port = this.admin): Promise<CommandResult<'item.store'>> {
    return port.command('item.store', itemData(more));
  }
}

export const search = async (
  port: CairnPort,
  query: string,
  more: { readonly tags?: string[]; readonly includeSuperseded?: boolean; readonly includeExpired?: boolean } = {},
) => {
  const defaults = { tags: [], includeSuperseded: false, includeExpired: false, minScore: 0, efSearch: 64 };
  const { hits } = await port.query('items.search', { query, limit: 50, explain: false, ...defaults, ...more });
  // A search by meaning also returns near texts; the tests are about those that contain the words.
  return hits.filter(({ hasWords }) => hasWords);
};

export const errorOf = async (work: Promise<unknown>): Promise<Pick<AppError, 'code' | 'details'>> => {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof AppError) return { code: thrown.code, details: thrown.details };
  throw new Error('the request was expected to fail', { cause: thrown });
};

const POLL_MS = 20;
const WAIT_MS = 30_000;

/** Polls, because vectors are computed asynchronously. */
export const eventually = async <T>(look: () => Promise<T>, holds: (found: T) => boolean): Promise<T> => {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const found = await look();
    if (holds(found)) return found;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(found)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};
