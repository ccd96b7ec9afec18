import { EXTERNAL_IMAGE_BYTES_MAX, EXTERNAL_RESULT_BYTES_MAX, fail } from '@cairn/contracts';
import { fenced, neutralise } from '@cairn/mcp-tools';

/** A content block as an external server sends it; all other fields are dropped. */
interface GivenBlock {
  readonly type: string;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly mimeType?: unknown;
  readonly uri?: unknown;
  readonly name?: unknown;
  readonly resource?: { readonly uri?: unknown; readonly text?: unknown };
}

export interface GivenResult {
  readonly content?: readonly GivenBlock[] | undefined;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

export type ResultBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

export interface ExternalResult {
  readonly content: readonly ResultBlock[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  /** Whether any part of it had to be changed. */
  readonly sanitized: boolean;
}

const BLOCKS_MAX = 64;
const IMAGE_TYPE = /^image\/[a-z0-9.+-]{1,64}$/;

const tooLarge = (limit: number) =>
  fail('server.too_large', `the answer of the external server is larger than ${limit} bytes`, { limit });

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Everything except an image becomes text: no address from a server is fetched, and nothing is played. */
const textOf = ({ type, text, uri, name, resource }: GivenBlock): string => {
  if (type === 'text') return wordsOf(text);
  if (type === 'resource') return `Resource ${wordsOf(resource?.uri)}\n${wordsOf(resource?.text)}`;
  if (type === 'resource_link') return `Link to ${wordsOf(name)} ${wordsOf(uri)}`;
  return 'Content of a kind that is not passed on was left out.';
};

const imageOf = ({ data, mimeType }: GivenBlock): ResultBlock | undefined => {
  const type = wordsOf(mimeType).toLowerCase();
  if (typeof data !== 'string' || !IMAGE_TYPE.test(type) || !/^[A-Za-z0-9+/]*={0,2}$/.test(data)) return undefined;
  if ((data.length * 3) / 4 > EXTERNAL_IMAGE_BYTES_MAX) throw tooLarge(EXTERNAL_IMAGE_BYTES_MAX);
  return { type: 'image', data, mimeType: type };
};

/** Keys are cleaned too: like the texts, they come from the server. */
const cleanAll = (node: unknown, onChange: () => void): unknown => {
  if (typeof node === 'string') {
    const clean = neutralise(node);
    if (clean !== node) onChange();
    return clean;
  }
  if (Array.isArray(node)) return node.map((inner) => cleanAll(inner, onChange));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, inner]) => [cleanAll(key, onChange) as string, cleanAll(inner, onChange)]),
  );
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Limits the size of the text that a model reads. Images have their own bound. */
const checkSize = (texts: readonly string[], structured: unknown): void => {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const more = structured === undefined ? 0 : Buffer.byteLength(JSON.stringify(structured));
  if (bytes + more > EXTERNAL_RESULT_BYTES_MAX) throw tooLarge(EXTERNAL_RESULT_BYTES_MAX);
};

/**
 * A server's answer in a form that is safe for a model: neutralised, with every text between marks that no author can
 * predict.
 */
export const cleanResult = (listedAs: string, given: GivenResult): ExternalResult => {
  const blocks = given.content ?? [];
  if (blocks.length > BLOCKS_MAX) throw tooLarge(EXTERNAL_RESULT_BYTES_MAX);
  checkSize(
    blocks.map((block) => (block.type === 'image' ? '' : textOf(block))),
    given.structuredContent,
  );
  let sanitized = false;
  const onChange = (): void => void (sanitized = true);
  const head = `Answer of the external tool ${listedAs}.`;
  const content = blocks.map((block): ResultBlock => {
    const image = block.type === 'image' ? imageOf(block) : undefined;
    return image ?? { type: 'text', text: fenced(head, cleanAll(textOf(block), onChange) as string) };
  });
  const structured = isObject(given.structuredContent) ? cleanAll(given.structuredContent, onChange) : undefined;
  return {
    content,
    ...(structured !== undefined && { structuredContent: structured as Record<string, unknown> }),
    isError: given.isError === true,
    sanitized,
  };
};
