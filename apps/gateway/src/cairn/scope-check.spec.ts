import { describe, expect, it } from '@jest/globals';
import { SEARCH_QUERIES, systemPrincipal, type Principal } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { checkScope } from './scope-check.js';

const [own, other] = [uuidV7(), uuidV7()];
const reader: Principal = { ...systemPrincipal(uuidV7()), scopes: ['read'], isUnscoped: false, folderIds: [own] };

/** What is left of an answer, and how often the check spoke up. */
const checked = (type: Parameters<typeof checkScope>[0], answer: unknown, principal: Principal = reader) => {
  const violations: number[] = [];
  try {
    const left = checkScope(type, answer as never, principal, (dropped) => violations.push(dropped));
    return { left: left as never as Record<string, unknown>, violations };
  } catch (thrown) {
    return { thrown, violations };
  }
};

const hit = (folderId: string) => ({ itemId: uuidV7(), folderId });

describe('the last look at an answer', () => {
  it.each(['chunks.search', 'items.search'] as const)('drops hits of %s outside the folders, and says so', (type) => {
    const [good, bad] = [hit(own), hit(other)];
    const answer = { hits: [bad, good, bad], degraded: true, stale: false };
    expect(checked(type, answer)).toEqual({ left: { ...answer, hits: [good] }, violations: [2] });
  });

  it('drops listed items and folders outside', () => {
    const items = [{ ...hit(own), inKb: true }, hit(other)];
    expect(checked('items.list', { items, nextCursor: 'c' })).toEqual({
      left: { items: [items[0]], nextCursor: 'c' },
      violations: [1],
    });
    const folders = { items: [{ id: own }, { id: other }], nextCursor: null };
    expect(checked('folders.list', folders).left).toEqual({ items: [{ id: own }], nextCursor: null });
  });

  it('drops recalled chunks and counted folders outside', () => {
    const [good, bad] = [hit(own), hit(other)];
    expect(checked('chunks.recall', { results: [bad, good], truncated: false })).toEqual({
      left: { results: [good], truncated: false },
      violations: [1],
    });
    expect(checked('stats.get', { folders: [bad, good] })).toEqual({ left: { folders: [good] }, violations: [1] });
  });

  it('answers a single thing outside as search answers what does not exist', () => {
    expect(checked('item.get', hit(other))).toMatchObject({
      thrown: { code: 'item.not_found', kind: 'missing', message: 'there is no such item' },
      violations: [1],
    });
    expect(checked('folder.get', { id: other })).toMatchObject({ thrown: { code: 'folder.not_found' } });
    expect(checked('item.get', hit(own))).toMatchObject({ violations: [] });
  });

  it('shows a token without folders nothing at all', () => {
    const blind = { ...reader, folderIds: [] };
    expect(checked('chunks.search', { hits: [hit(own)] }, blind)).toEqual({ left: { hits: [] }, violations: [1] });
  });

  it('holds a kbOnly token to the knowledge base, also when it sees every folder', () => {
    const kbOnly = { ...reader, isUnscoped: true, folderIds: [], kbOnly: true };
    const items = [
      { ...hit(other), inKb: true },
      { ...hit(own), inKb: false },
    ];
    expect(checked('items.list', { items }, kbOnly)).toEqual({ left: { items: [items[0]] }, violations: [1] });
    expect(checked('item.get', items[1], kbOnly)).toMatchObject({ thrown: { code: 'item.not_found' } });
  });

  it('leaves a whole-library token everything, and other answers alone', () => {
    const answer = { hits: [hit(own), hit(other)] };
    expect(checked('chunks.search', answer, { ...reader, isUnscoped: true }).left).toBe(answer);
    expect(checked('status.get', { components: [] })).toEqual({ left: { components: [] }, violations: [] });
  });

  it('knows of every query whether its answer lies in folders', () => {
    const placed = ['chunks.search', 'items.search', 'item.get', 'items.list', 'folders.list', 'folder.get'].concat([
      'chunks.recall',
      'stats.get',
    ]);
    const elsewhere = ['tokens.list', 'token.resolve', 'tokens.ended', 'workspaces.list'].concat(
      ['ops.list', 'op.get', 'projections.get', 'status.get'],
      ['quotas.get'],
      ['confirmations.list', 'receipt.get', 'receipt.key'],
    );
    expect(SEARCH_QUERIES.map(({ type }) => type).filter((type) => ![...placed, ...elsewhere].includes(type))).toEqual(
      [],
    );
  });
});
