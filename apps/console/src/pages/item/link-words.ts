import type { ItemLink } from '../../api/answers.js';

type LinkType = ItemLink['type'];

/** The wording of a link, seen from the item where it begins and from the one where it ends. */
const WORDS: Readonly<Record<LinkType, readonly [out: string, into: string]>> = {
  supports: ['supports', 'supported by'],
  contradicts: ['contradicts', 'contradicted by'],
  elaborates: ['elaborates', 'elaborated by'],
  references: ['refers to', 'referred to by'],
  derived_from: ['derived from', 'source of'],
  supersedes: ['replaces', 'replaced by'],
  follows: ['follows', 'followed by'],
  causes: ['causes', 'caused by'],
  attached_to: ['attached to', 'has attached'],
  related: ['related to', 'related to'],
};

export const linkWords = ({ type, direction }: Pick<ItemLink, 'type' | 'direction'>): string =>
  WORDS[type][direction === 'out' ? 0 : 1];

export const otherEnd = ({ direction, fromItemId, toItemId }: ItemLink): string =>
  direction === 'out' ? toItemId : fromItemId;
