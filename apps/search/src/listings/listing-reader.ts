import { folderIsVisible, notFound, readerOf, type FolderReader } from '@cairn/access';
import {
  FolderView,
  MESH_DAILY_TOKENS_DEFAULT,
  TokenView,
  WorkspaceView,
  type Page,
  type Principal,
  type QueryAnswer,
  type QueryData,
  type QuotaName,
  type QuotaView,
} from '@cairn/contracts';
import { databaseError, viewOf } from '@cairn/persistence';
import { Folders, Tokens, Workspaces, type FolderRow, type TokenRow, type WorkspaceRow } from '@cairn/projections';
import { And, In, MoreThan, type DataSource, type FindOperator, type SelectQueryBuilder } from 'typeorm';
import { ID_KEY, pageOf, readCursor } from '../cursor.js';

type PlacedFolder = QueryAnswer<'folder.get'>;
type Paging = QueryData<'tokens.list'>;

/** Oldest first: ids sort by creation. */
const FROM_OLDEST = { id: 'ASC' } as const;

const folderView = (row: FolderRow): PlacedFolder => {
  const folder = viewOf(FolderView, row);
  return { ...folder, placement: { workspaceId: row.workspaceId, tier: folder.tier } };
};

const tokenView = (row: TokenRow): TokenView => viewOf(TokenView, row);

const workspaceView = (row: WorkspaceRow): WorkspaceView => viewOf(WorkspaceView, row);

/** Uses the reader's own field names as parameters. */
const VISIBLE = folderIsVisible('folder', {
  workspace: ':workspaceId',
  folders: ':folderIds::uuid[]',
  seesSensitive: ':seesSensitive',
});

const NO_QUOTA: QuotaView = { limit: null, used: 0 };
/** The broker counts the usage; the gateway adds it. */
const DAILY_TOKENS: QuotaView = { limit: MESH_DAILY_TOKENS_DEFAULT, used: 0 };

/** Lists the parts of a workspace. */
export class ListingReader {
  constructor(private readonly orm: DataSource) {}

  async folders(principal: Principal, query: QueryData<'folders.list'>): Promise<Page<PlacedFolder>> {
    const { limit, cursor, surface } = query;
    const rows = await this.visibleFolders(readerOf(principal, surface))
      .andWhere(idIs(after(cursor)))
      .orderBy('folder.id')
      .take(limit + 1)
      .getMany()
      .catch(rethrown);
    return pageOf(rows, limit, idOf, folderView);
  }

  async folder(principal: Principal, { folderId, surface }: QueryData<'folder.get'>): Promise<PlacedFolder> {
    const query = this.visibleFolders(readerOf(principal, surface)).andWhere({ id: folderId });
    const row = await query.getOne().catch(rethrown);
    if (!row) throw notFound('folder');
    return folderView(row);
  }

  async tokens({ workspaceId }: Principal, { limit, cursor }: Paging): Promise<Page<TokenView>> {
    const where = { workspaceId, ...idIs(after(cursor)) };
    const rows = await this.orm
      .getRepository(Tokens)
      .find({ where, order: FROM_OLDEST, take: limit + 1 })
      .catch(rethrown);
    return pageOf(rows, limit, idOf, tokenView);
  }

  async quotas({ workspaceId }: Principal): Promise<QueryAnswer<'quotas.get'>> {
    const sql = 'select name, max_used as "limit", used from library.quotas where workspace_id = $1';
    const rows = await this.orm.query<({ name: QuotaName } & QuotaView)[]>(sql, [workspaceId]).catch(rethrown);
    const set = new Map(rows.map(({ name, limit, used }) => [name, { limit, used }]));
    return {
      knowledge_stored: set.get('knowledge_stored') ?? NO_QUOTA,
      mesh_daily_tokens: set.get('mesh_daily_tokens') ?? DAILY_TOKENS,
    };
  }

  /** All workspaces for the installation's first admin, only the own one for everyone else. */
  async workspaces(principal: Principal, { limit, cursor }: Paging): Promise<Page<WorkspaceView>> {
    const own = principal.instanceAdmin ? undefined : In([principal.workspaceId]);
    const where = idIs(own, after(cursor));
    const rows = await this.orm
      .getRepository(Workspaces)
      .find({ where, order: FROM_OLDEST, take: limit + 1 })
      .catch(rethrown);
    return pageOf(rows, limit, idOf, workspaceView);
  }

  private visibleFolders(reader: FolderReader): SelectQueryBuilder<FolderRow> {
    return this.orm.getRepository(Folders).createQueryBuilder('folder').where(VISIBLE, reader);
  }
}

/** Converts the errors of TypeORM. */
const rethrown = (thrown: unknown): never => {
  throw databaseError(thrown);
};

const idOf = ({ id }: { readonly id: string }): string => id;

const after = (cursor: string | undefined): FindOperator<string> | undefined => {
  const key = readCursor(cursor, ID_KEY);
  return key === null ? undefined : MoreThan(key);
};

const idIs = (...conditions: (FindOperator<string> | undefined)[]): { id?: FindOperator<string> } => {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? {} : { id: And(...given) };
};
