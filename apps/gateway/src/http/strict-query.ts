import { echoed, fail } from '@cairn/contracts';

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** For a byte that is not UTF-8, `URLSearchParams` would silently insert a replacement character. */
const checkEncoding = (search: string): void => {
  for (const pair of search.split('&')) {
    if (decoded(pair) !== undefined) continue;
    const field = echoed(decoded(pair.split('=')[0] ?? '') ?? 'query');
    throw fail('input.invalid', `${field} must be percent-encoded UTF-8`, { field });
  }
};

/** Express's query parser for the whole gateway: flat, each parameter at most once, valid UTF-8. */
export const strictQuery = (search: string | null): Record<string, string> => {
  const values = Object.create(null) as Record<string, string>;
  if (!search) return values;
  checkEncoding(search);
  for (const [name, text] of new URLSearchParams(search)) {
    if (name in values) {
      const field = echoed(name);
      throw fail('input.invalid', `${field} must be given once`, { field });
    }
    values[name] = text;
  }
  return values;
};
