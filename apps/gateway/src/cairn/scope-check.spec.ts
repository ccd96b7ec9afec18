import { describe, expect, it } from '@jest/globals';
import { readerOf } from '@cairn/access';
import { SEARCH_QUERIES, systemPrincipal, type Principal, type Surface } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { checkScope } from './scope-check.js';

const [own, other] = [uuidV7(), uuidV7()];
const reader: Principal = { ...systemPrincipal(uuidV7()), scopes: ['read'], isUnscoped: false, folderIds: [own] };
const { workspaceId } = reader;

/** The rest of an answer, and the number of violations that the check reported. */
const checked = (
  type: Parameters<typeof checkScope>[0],
  answer: unknown,
  principal: Principal = reader,
  surface: Surface = 'mcp',
) => {
  const violations: number[] = [];
  try {
    const left = checkScope(type, answer as never, readerOf(principal, surface), (dropped) => violations.push(dropped));
    return { left: left as never as Record<string, unknown>, violations };
  } catch (thrown) {
    return { thrown, violations };
  }
};

const placement = { workspaceId, tier: 'personal' };
const hit = (folderId: string) => ({ itemId: uuidV7(), folderId, placement });
const shown = ({ placement: _, ...thing }: ReturnType<typeof hit>) => thing;

describe('the final check of an answer', () => {
  it.each(['chunks.search', 'items.search'] as const)(
    'drops hits of %s outside the folders, and reports it',
    (type) => {
      const [good, bad] = [hit(own), hit(other)];
      const answer = { hits: [bad, good, bad], degraded: true, stale: false };
      expect(checked(type, answer)).toEqual({ left: { ...answer, hits: [shown(good)] }, violations: [2] });
    },
  );

  it('drops listed items and folders outside', () => {
    const items = [{ ...hit(own), inKb: true }, hit(other)];
    expect(checked('items.list', { items, nextCursor: 'c' })).toEqual({
      left: { items: [shown(items[0]!)], nextCursor: 'c' },
      violations: [1],
    });
    const folders = { items: [own, other].map((id) => ({ id, placement })), nextCursor: null };
    expect(checked('folders.list', folders).left).toEqual({ items: [{ id: own }], nextCursor: null });
  });

  it('drops recalled chunks and counted folders outside', () => {
    const [good, bad] = [hit(own), hit(other)];
    expect(checked('chunks.recall', { results: [bad, good], truncated: false })).toEqual({
      left: { results: [shown(good)], truncated: false },
      violations: [1],
    });
    const unknownGraphs = { names: ['x'], available: [bad, good] };
    expect(checked('chunks.recall', { results: [], truncated: false, unknownGraphs })).toEqual({
      left: { results: [], truncated: false, unknownGraphs: { names: ['x'], available: [shown(good)] } },
      violations: [1],
    });
    expect(checked('stats.get', { folders: [bad, good] })).toEqual({
      left: { folders: [shown(good)] },
      violations: [1],
    });
  });

  it('drops entities, edges and evidence outside, and edges without remaining evidence', () => {
    const [good, bad] = [hit(own), hit(other)];
    const edge = (...evidence: object[]) => ({ id: 'e', evidence });
    const walk = { entity: good, candidates: [bad], nodes: [good, bad], edges: [edge(good, bad), edge(bad)] };
    expect(checked('graph.walk', walk)).toEqual({
      left: { entity: shown(good), candidates: [], nodes: [shown(good)], edges: [edge(shown(good))] },
      violations: [4],
    });
    expect(checked('graph.walk', { ...walk, entity: bad }).left).toMatchObject({ entity: null });
    for (const [type, field] of [
      ['entities.list', 'items'],
      ['review.list', 'items'],
      ['entities.find', 'candidates'],
      ['item.mentions', 'mentions'],
    ] as const)
      expect(checked(type, { [field]: [good, bad] })).toEqual({ left: { [field]: [shown(good)] }, violations: [1] });
  });

  it('answers "not found" for an entity and an edge outside', () => {
    const detail = { ...hit(own), edges: [hit(other)], mentionedIn: [hit(own), hit(other)] };
    expect(checked('entity.get', detail)).toMatchObject({ left: { edges: [], mentionedIn: [{}] }, violations: [2] });
    expect(checked('entity.get', { ...detail, folderId: other })).toMatchObject({
      thrown: { code: 'entity.not_found' },
    });
    expect(checked('edge.get', { evidence: [hit(other)] })).toMatchObject({ thrown: { code: 'edge.not_found' } });
  });

  it('answers for a single thing outside exactly as search does for one that does not exist', () => {
    expect(checked('item.get', hit(other))).toMatchObject({
      thrown: { code: 'item.not_found', kind: 'missing', message: 'there is no such item' },
      violations: [1],
    });
    expect(checked('folder.get', { id: other, placement })).toMatchObject({ thrown: { code: 'folder.not_found' } });
    expect(checked('item.get', hit(own))).toMatchObject({ violations: [] });
  });

  it('shows a token without folders nothing at all', () => {
    const blind = { ...reader, folderIds: [] };
    expect(checked('chunks.search', { hits: [hit(own)] }, blind)).toEqual({ left: { hits: [] }, violations: [1] });
  });

  it('limits a kbOnly token to the knowledge base, even if it sees every folder', () => {
    const kbOnly = { ...reader, isUnscoped: true, folderIds: [], kbOnly: true };
    const items = [
      { ...hit(other), inKb: true },
      { ...hit(own), inKb: false },
    ];
    expect(checked('items.list', { items }, kbOnly)).toEqual({
      left: { items: [shown(items[0]!)] },
      violations: [1],
    });
    expect(checked('item.get', items[1], kbOnly)).toMatchObject({ thrown: { code: 'item.not_found' } });
  });

  it('leaves a whole-library token everything in its workspace, and leaves other answers unchanged', () => {
    const wide = { ...reader, isUnscoped: true };
    const inside = [hit(own), hit(other)];
    const outside = { ...hit(own), placement: { ...placement, workspaceId: uuidV7() } };
    expect(checked('chunks.search', { hits: [...inside, outside] }, wide)).toEqual({
      left: { hits: inside.map(shown) },
      violations: [1],
    });
    expect(checked('status.get', { components: [] })).toEqual({ left: { components: [] }, violations: [] });
  });

  it('drops everything without a placement', () => {
    const { placement: _, ...lost } = hit(own);
    expect(checked('items.search', { hits: [lost] })).toEqual({ left: { hits: [] }, violations: [1] });
  });

  it('shows a sensitive folder to an admin over REST, and to no one else', () => {
    const admin: Principal = { ...reader, scopes: ['admin'], isUnscoped: true };
    const secret = { ...hit(own), placement: { ...placement, tier: 'sensitive' } };
    const left = (principal: Principal, surface: Surface) =>
      checked('items.list', { items: [secret] }, principal, surface).left;
    expect(left(admin, 'rest')).toEqual({ items: [shown(secret)] });
    expect([left(admin, 'mcp'), left(reader, 'rest'), left(reader, 'mcp')]).toEqual(Array(3).fill({ items: [] }));
    expect(checked('folder.get', { id: own, placement: secret.placement }, admin)).toMatchObject({
      thrown: { code: 'folder.not_found' },
    });
  });

  it('classifies every query by whether its answer is in folders', () => {
    const placed = ['chunks.search', 'items.search', 'item.get', 'items.list', 'folders.list', 'folder.get'].concat([
      'chunks.recall',
      'chunks.semantic',
      'items.query',
      'links.list',
      'stats.get',
      'links.list',
      'entities.list',
      'entities.find',
      'entity.get',
      'graph.walk',
      'edge.get',
      'item.mentions',
      'review.list',
      'claims.verify',
      'links.walk',
      'series.query',
      'mesh.locate',
    ]);
    const elsewhere = ['tokens.list', 'token.resolve', 'tokens.ended', 'workspaces.list'].concat(
      ['ops.list', 'op.get', 'projections.get', 'status.get'],
      ['quotas.get', 'search.check'],
      ['confirmations.list', 'receipt.get', 'receipt.key'],
      ['servers.list', 'servers.open'],
      ['edge.locate', 'entity.locate'],
      ['accounts.list', 'account.get', 'account.open'],
      ['route.plan', 'account.known', 'mesh.confirm'],
    );
    expect(SEARCH_QUERIES.map(({ type }) => type).filter((type) => ![...placed, ...elsewhere].includes(type))).toEqual(
      [],
    );
  });
});
