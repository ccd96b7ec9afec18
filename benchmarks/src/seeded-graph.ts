import { LINK_TYPES } from '@cairn/contracts';
import { pick, pickIndex, randomFrom, type Random } from './seeded-random.js';

/** Parts that names of people, firms and places are made of. */
export interface NameParts {
  readonly first: readonly string[];
  readonly lastStart: readonly string[];
  readonly lastEnd: readonly string[];
  readonly firm: readonly string[];
  readonly firmTrade: readonly string[];
  readonly firmKind: readonly string[];
  readonly place: readonly string[];
}

export interface SeededLink {
  readonly from: number;
  readonly to: number;
  readonly type: (typeof LINK_TYPES)[number];
  readonly confidence: number;
}

/** Every pair of two lists, ordered so that neighbouring pairs differ in both parts. */
const pairs = (heads: readonly string[], tails: readonly string[], glue: string): string[] =>
  tails.flatMap((_, shift) => heads.map((head, i) => `${head}${glue}${tails[(i + shift) % tails.length]!}`));

/** `supersedes` cannot be added as a link. */
const TYPES = LINK_TYPES.filter((type) => type !== 'supersedes');

/**
 * Sentences that name people, firms and places, and links between items, the same on every machine. A few names and
 * items have most of the mentions and links, as in real libraries: a walk has to cope with hubs.
 */
export class SeededGraph {
  private readonly people: readonly string[];
  private readonly firms: readonly string[];

  constructor(
    private readonly parts: NameParts,
    private readonly seed: number,
  ) {
    const surnames = pairs(parts.lastStart, parts.lastEnd, '');
    this.people = pairs(parts.first, surnames, ' ');
    this.firms = pairs(pairs(parts.firm, parts.firmTrade, ' '), parts.firmKind, ' ');
  }

  /** The statements of the text with this number. */
  statements(index: number): { readonly person: string; readonly text: string } {
    const random = this.randomOf(index);
    const [worker, other] = [pickIndex(random, this.people.length), pick(random, this.people)];
    // A person has one firm and a firm has one place, so several texts state the same.
    const at = worker % this.firms.length;
    const [person, firm] = [this.people[worker]!, this.firms[at]!];
    const place = this.parts.place[at % this.parts.place.length]!;
    const text = `${person} works at ${firm}. ${other} manages ${person}. ${firm} is based in ${place}.`;
    return { person, text };
  }

  /** The links from an item to others. */
  linksFrom(from: number, count: number, items: number): SeededLink[] {
    const random = this.randomOf(-1 - from);
    return Array.from({ length: count }, () => this.link(random, from, items));
  }

  private link(random: Random, from: number, items: number): SeededLink {
    const found = pickIndex(random, items);
    const to = found === from ? (from + 1) % items : found;
    const type = TYPES[Math.floor(random() * TYPES.length)]!;
    return { from, to, type, confidence: 0.5 + Math.floor(random() * 51) / 100 };
  }

  private randomOf(index: number): Random {
    return randomFrom(this.seed + index * 7919);
  }
}
