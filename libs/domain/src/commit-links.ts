import { AGENT_CONFIDENCE_DEFAULT, CommitFields, type ExtraMetadata } from '@cairn/contracts';
import type { CommitPart } from './commit.decider.js';
import { itemEvents } from './item.decider.js';
import { linksOfNewItem, type NamedLink } from './link.decider.js';

/** The links that the metadata of a commit names, from the commit to other items. */
export const commitLinks = (
  extra: ExtraMetadata | undefined,
  fromItemId: string,
  idOf: (link: Omit<NamedLink, 'linkId'>) => string,
): NamedLink[] =>
  (CommitFields.parse(extra ?? {}).links ?? []).map(
    ({ toItemId, type, confidence = AGENT_CONFIDENCE_DEFAULT }): NamedLink => {
      const link = { fromItemId, toItemId, type, confidence };
      return { ...link, linkId: idOf(link) };
    },
  );

/** Appends the links together with the commit; a link that cannot be added refuses the commit. */
export const linkingCommit =
  (links: readonly NamedLink[]): CommitPart =>
  (state, { item, folder, principal }) => {
    const [stored] = itemEvents(item, folder.id, principal.agentId);
    const fieldOf = (n: number, field: string): string => `extra.links[${n}].${field}`;
    const added = linksOfNewItem(state, principal, { links, surface: 'mcp', fieldOf, stored: stored! });
    return added ? [added] : [];
  };
