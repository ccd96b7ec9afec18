import type { Page, Principal } from '@cairn/contracts';
import type { InMemoryWorkspace } from './cairn-workspace.fake.js';

export interface QueryContext {
  readonly workspace: InMemoryWorkspace;
  readonly everyWorkspace: readonly InMemoryWorkspace[];
  readonly principal: Principal;
  readonly nowMs: number;
}

export const pageOf = <T extends { readonly id: string }>(
  all: readonly T[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Page<T> => {
  const from = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1;
  const items = all.slice(from, from + limit);
  return { items, nextCursor: from + limit < all.length ? items.at(-1)!.id : null };
};
