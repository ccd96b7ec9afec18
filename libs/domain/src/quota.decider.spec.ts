import { describe, expect, it } from '@jest/globals';
import { admin, aWorkspace, by, carriedOut, id, WORKSPACE } from './given.builder.js';
import { decideStoreItem, type SealedItem } from './item.decider.js';
import { decideSetQuota } from './quota.decider.js';
import type { WorkspaceState } from './state.js';

const limited = (limit: number | null, state: WorkspaceState = aWorkspace): WorkspaceState =>
  carriedOut(state, decideSetQuota(state, by(admin, { name: 'knowledge_stored', limit })));

const item = (n: number, kind: SealedItem['command']['kind'] = 'knowledge'): SealedItem => ({
  itemId: id(n),
  command: {
    inKb: true,
    kind,
    source: { kind: 'agent' },
    surface: 'rest',
    confidence: 80,
    expiresAt: null,
  },
  meta: 'bWV0YQ==',
  chunks: [{ chunkId: id(900), ordinal: 0, text: 'c2VhbGVk', textHash: 'a'.repeat(64), tokens: 1 }],
});

const store = (state: WorkspaceState, what: SealedItem): WorkspaceState =>
  carriedOut(state, decideStoreItem(state, by(admin, what)));

describe('setting a quota', () => {
  it('is one op of the workspace, and appends nothing when nothing changes', () => {
    const decision = decideSetQuota(aWorkspace, by(admin, { name: 'knowledge_stored', limit: 3 }));
    expect(decision).toEqual({
      entityId: WORKSPACE,
      events: [{ type: 'quota.set', data: { name: 'knowledge_stored', limit: 3 } }],
    });
    const again = decideSetQuota(limited(3), by(admin, { name: 'knowledge_stored', limit: 3 }));
    expect(again.events).toEqual([]);
  });

  it('keeps the used amount', () => {
    expect(limited(5, store(store(aWorkspace, item(10)), item(11))).quotas.knowledge_stored).toEqual({
      limit: 5,
      used: 2,
    });
  });
});

describe('the quota knowledge_stored', () => {
  const refusal = expect.objectContaining({
    code: 'quota.exceeded',
    kind: 'rule',
    details: { quota: 'knowledge_stored', limit: 2 },
  });

  it('allows as many entries as its limit, and no more [D-22]', () => {
    const full = store(store(limited(2), item(10)), item(11));
    expect(() => store(full, item(12))).toThrow(refusal);
    expect(full.quotas.knowledge_stored.used).toBe(2);
  });

  it('allows none at a limit of zero, and any number without a limit', () => {
    expect(() => store(limited(0), item(10))).toThrow(expect.objectContaining({ code: 'quota.exceeded' }));
    const many = Array.from({ length: 20 }, (_, i) => item(10 + i));
    expect(many.reduce(store, limited(null, limited(1))).quotas.knowledge_stored.used).toBe(20);
  });

  it('refuses more while a lowered limit is exceeded, and allows more when it is raised', () => {
    const three = [item(10), item(11), item(12)].reduce(store, aWorkspace);
    expect(() => store(limited(2, three), item(13))).toThrow(refusal);
    expect(store(limited(4, three), item(13)).quotas.knowledge_stored.used).toBe(4);
  });

  it('does not apply to documents', () => {
    const full = limited(0);
    expect(store(full, item(10, 'document')).quotas.knowledge_stored.used).toBe(0);
  });
});
