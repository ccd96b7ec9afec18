import { SLUG_CHARS_MAX } from '@cairn/contracts';

/** For a name without a letter or digit that a slug could have. */
const NAMELESS = 'folder';

const trimmed = (slug: string, chars: number): string => slug.slice(0, chars).replace(/-+$/, '');

/** A free slug that resembles a name: "Café & Co" is `cafe-co`, or `cafe-co-2` where that is taken. */
export const slugFor = (name: string, taken: ReadonlySet<string>): string => {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = trimmed((plain.match(/[a-z0-9]+/g) ?? []).join('-'), SLUG_CHARS_MAX) || NAMELESS;
  for (let n = 1; ; n++) {
    const suffix = n === 1 ? '' : `-${n}`;
    const candidate = trimmed(slug, SLUG_CHARS_MAX - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
};
