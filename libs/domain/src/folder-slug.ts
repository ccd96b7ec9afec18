import { SLUG_CHARS_MAX } from '@cairn/contracts';

/** The slug for a name without any letter or digit that a slug may contain. */
const NAMELESS = 'folder';

const trimmed = (slug: string, chars: number): string => slug.slice(0, chars).replace(/-+$/, '');

/** A free slug that resembles a name: "Café & Co" becomes `cafe-co`, or `cafe-co-2` if that is taken. */
export const slugFor = (name: string, taken: ReadonlySet<string>): string => {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = trimmed((plain.match(/[a-z0-9]+/g) ?? []).join('-'), SLUG_CHARS_MAX) || NAMELESS;
  for (let n = 1; ; n++) {
    const suffix = n === 1 ? '' : `-${n}`;
    const candidate = trimmed(slug, SLUG_CHARS_MAX - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
};
