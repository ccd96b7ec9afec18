import { notFound, readerOf, type Reader } from '@cairn/access';
import {
  fail,
  type CommandData,
  type DomainEvent,
  type GraphOrigin,
  type NewLink,
  type Principal,
  type StoredLink,
  type Surface,
} from '@cairn/contracts';
import { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
import { evolve, type LinkState, type WorkspaceState } from './state.js';
import { originOf } from './stated-edges.js';
import { visibleItem } from './visible-item.js';

/** A link with the id that is derived from its ends and its type. */
export type NamedLink = NewLink & Pick<StoredLink, 'linkId'>;

/** Links to add, their places in the request, and the reader that must see their ends. */
export interface NewLinks {
  readonly links: readonly NamedLink[];
  readonly surface: Surface;
  /** The path to a field of the nth link, for an error. */
  readonly fieldOf?: (n: number, field: 'fromItemId' | 'toItemId' | 'type') => string;
}

type LinkAdded = Extract<DomainEvent, { type: 'link.added' }>;

const inList: NonNullable<NewLinks['fieldOf']> = (n, field) => `links[${n}].${field}`;

const checkForm = ({ type, fromItemId, toItemId }: NamedLink, field: (name: 'toItemId' | 'type') => string): void => {
  if (type === 'supersedes')
    throw fail('link.use_supersede', `${field('type')} cannot be supersedes: use supersede_knowledge`, {
      field: field('type'),
    });
  if (fromItemId === toItemId)
    throw fail('link.to_itself', `${field('toItemId')} must be another item than fromItemId`, {
      field: field('toItemId'),
    });
};

/** A link that is named twice counts once, with the values of its first mention. */
const firstOfEach = (links: readonly NamedLink[]): NamedLink[] => {
  const seen = new Set<string>();
  return links.filter(({ linkId }) => !seen.has(linkId) && seen.add(linkId));
};

const storedLink = (link: NamedLink, origin: GraphOrigin): StoredLink => ({
  ...link,
  sourceKind: origin === 'human' ? 'extracted' : 'inferred',
});

/**
 * The event that adds the links that do not exist yet; undefined if all of them exist. Every link is checked first: a
 * request with one wrong link adds none.
 */
export const linksAdded = (
  state: WorkspaceState,
  principal: Principal,
  { links, surface, fieldOf = inList }: NewLinks,
): LinkAdded | undefined => {
  const reader = readerOf(principal, surface);
  for (const [n, link] of links.entries()) checkForm(link, (name) => fieldOf(n, name));
  for (const [n, link] of links.entries())
    for (const end of ['fromItemId', 'toItemId'] as const) visibleItem(state, reader, link[end], fieldOf(n, end));
  const added = firstOfEach(links).filter(({ linkId }) => !state.links.has(linkId));
  if (added.length === 0) return undefined;
  const origin = originOf(principal, surface);
  return { type: 'link.added', data: { origin, links: added.map((link) => storedLink(link, origin)) } };
};

export const decideAddLinks = (state: WorkspaceState, { data, principal }: Decidable<NewLinks>): Decision => {
  const entityId = data.links[0]!.linkId;
  const event = linksAdded(state, principal, data);
  return event ? decided(entityId, event) : alreadyDone(entityId);
};

/** The ends of a link that was just added are not loaded with it: the command is decided again after that op. */
const checkEnds = (state: WorkspaceState, reader: Reader, { id, fromItemId, toItemId }: LinkState): void => {
  const ends = [fromItemId, toItemId];
  if (ends.some((end) => !state.items.has(end)))
    throw fail('oplog.conflict', 'this link is being added at the moment; try again', { linkId: id });
  try {
    for (const end of ends) visibleItem(state, reader, end, 'id');
  } catch {
    // The caller named a link, so the error names the link.
    throw notFound('link');
  }
};

export const decideRemoveLink = (
  state: WorkspaceState,
  { data: { linkId, surface }, principal }: Decidable<CommandData<'link.remove'>>,
): Decision => {
  const link = state.links.get(linkId);
  if (!link) throw notFound('link');
  checkEnds(state, readerOf(principal, surface), link);
  return decided(linkId, { type: 'link.removed', data: { linkIds: [linkId] } });
};

/**
 * The event for links from an item that the same command stores. Their targets must be visible; the item itself is not
 * in the state yet. Undefined without links.
 */
export const linksOfNewItem = (
  state: WorkspaceState,
  principal: Principal,
  { stored, ...links }: NewLinks & { readonly stored: DomainEvent },
): LinkAdded | undefined =>
  links.links.length === 0 ? undefined : linksAdded(evolve(state, stored), principal, links);
