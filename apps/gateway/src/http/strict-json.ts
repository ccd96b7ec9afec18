import { echoed, fail, JSON_DEPTH_MAX, JSON_NODES_MAX } from '@cairn/contracts';

interface Problem {
  readonly message: string;
  readonly limit?: number;
  readonly path: (string | number)[];
}

const textProblem = (text: string): string | undefined => {
  if (text.includes('\u0000')) return 'must not contain a NUL character';
  if (!text.isWellFormed()) return 'must not contain a lone surrogate';
  return undefined;
};

/** The remaining keys on the path to a part whose texts are checked elsewhere; an empty list means inside that part. */
type Way = readonly string[] | undefined;

/** Walks a parsed value once. It checks the depth before descending, so the recursion is bounded. */
class Walk {
  private nodes = 0;

  check(value: unknown, depth: number, way: Way): Problem | undefined {
    if (++this.nodes > JSON_NODES_MAX) {
      return { message: `must have at most ${JSON_NODES_MAX} values`, limit: JSON_NODES_MAX, path: [] };
    }
    if (typeof value === 'string') {
      const message = way?.length === 0 ? undefined : textProblem(value);
      return message ? { message, path: [] } : undefined;
    }
    if (typeof value !== 'object' || value === null) return undefined;
    if (depth >= JSON_DEPTH_MAX) {
      return { message: `must be nested at most ${JSON_DEPTH_MAX} deep`, limit: JSON_DEPTH_MAX, path: [] };
    }
    return Array.isArray(value) ? this.checkArray(value, depth, way) : this.checkObject(value, depth, way);
  }

  private checkArray(values: readonly unknown[], depth: number, way: Way): Problem | undefined {
    for (let i = 0; i < values.length; i++) {
      const problem = this.check(values[i], depth + 1, way);
      if (problem) return within(problem, i);
    }
    return undefined;
  }

  private checkObject(value: object, depth: number, way: Way): Problem | undefined {
    for (const [key, inner] of Object.entries(value)) {
      const message = key === '__proto__' ? 'must not have a field named __proto__' : textProblem(key);
      if (message) return { message: message.replace(/^must/, 'field names must'), path: [] };
      const problem = this.check(inner, depth + 1, wayOn(way, key));
      if (problem) return within(problem, key);
    }
    return undefined;
  }
}

const wayOn = (way: Way, key: string): Way => {
  if (way === undefined || way.length === 0) return way;
  return way[0] === key ? way.slice(1) : undefined;
};

const within = (problem: Problem, key: string | number): Problem => {
  problem.path.unshift(key);
  return problem;
};

/** Deep paths are cut: their beginning shows the caller where to look. */
const nameOf = (path: readonly (string | number)[], root: string | undefined): string => {
  const shown = path.slice(0, 6).map((part) => (typeof part === 'number' ? `[${part}]` : `.${echoed(part)}`));
  return `${root ?? ''}${shown.join('')}`.replace(/^\./, '') || 'body';
};

const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw fail('input.malformed', 'the body is not valid UTF-8', { field: 'body' }, cause);
  }
};

interface StrictJsonOptions {
  /** The field that holds the JSON, if that is not the whole body. */
  readonly root?: string;
  /**
   * The keys that lead to a part of a message, alone or in a batch, whose reader rejects NUL and lone surrogates
   * itself.
   */
  readonly textsCheckedIn?: readonly string[];
}

/**
 * Parses untrusted JSON: valid UTF-8, bounded depth and size, no NUL, no lone surrogate, no `__proto__`, in values and
 * in field names. The result can be walked, compared and printed safely.
 */
export const parseStrictJson = (bytes: Uint8Array, { root, textsCheckedIn }: StrictJsonOptions = {}): unknown => {
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw fail('input.malformed', 'the body is not valid JSON', { field: 'body' }, cause);
  }
  const problem = new Walk().check(value, 0, textsCheckedIn);
  if (!problem) return value;
  const field = nameOf(problem.path, root);
  const limit = problem.limit === undefined ? {} : { limit: problem.limit };
  throw fail('input.invalid', `${field} ${problem.message}`, { field, ...limit });
};
