import {
  chunksOf,
  givenTitle,
  isTextOp,
  type Op,
  type StoredChunk,
  type TextFormat,
  type TextOp,
} from '@cairn/contracts';
import { headingPaths, type HeadingPaths } from '@cairn/domain';
import { embeddedText, type Recipe } from '@cairn/embedding';
import { openMeta, type ItemKeys } from '@cairn/vault';
import { textOfChunk, type DocumentReader } from './document-reader.js';

/** A chunk and the text that the model embeds for it. */
export interface Passage {
  readonly chunk: StoredChunk;
  readonly text: string;
}

type CorrectionOp = Extract<TextOp, { type: 'chunk.corrected' }>;
type ForgettingOp = Extract<Op, { type: 'chunk.forgotten' }>;

/** An op after which chunks need new vectors. */
export type EmbeddedOp = TextOp | ForgettingOp;

/** Texts of these formats may have headings; a line that begins with `#` is something else in the others. */
const HEADED: readonly (TextFormat | undefined)[] = [undefined, 'md', 'html', 'docx'];

/**
 * Whether the op changes what is embedded. Only texts in the knowledge base are embedded. An op that repeats the texts
 * of an item in it changes its title or tags; a forgotten chunk may have held headings of the chunks below it. Neither
 * matters if only the text is embedded.
 */
export const isToEmbed = (op: Op, recipe: Recipe): op is EmbeddedOp => {
  if (op.type === 'chunk.forgotten') return recipe !== 1;
  if (!isTextOp(op) || !op.data.inKb) return false;
  return recipe !== 1 || !('wasInKb' in op.data && op.data.wasInKb);
};

/** The chunks that the op itself carries. */
export const ownChunks = (op: EmbeddedOp): readonly StoredChunk[] =>
  op.type === 'chunk.forgotten' ? [] : chunksOf(op.data);

/** Whether the op may change what is embedded of chunks that it does not carry. */
export const changesOthers = ({ type }: EmbeddedOp): boolean =>
  type === 'chunk.corrected' || type === 'chunk.forgotten';

interface Document {
  readonly workspace: string;
  readonly keys: ItemKeys;
  readonly title: string | undefined;
  readonly hasHeadings: boolean;
}

const documentOf = ({ workspace, data }: EmbeddedOp, keys: ItemKeys, meta: string): Document => {
  const { title, format } = openMeta(keys.item, workspace, data.itemId, Buffer.from(meta, 'base64'));
  return { workspace, keys, title: givenTitle(title), hasHeadings: HEADED.includes(format) };
};

interface OpenedChunk {
  readonly chunk: StoredChunk;
  readonly text: string;
}

const opened = (document: Document, chunks: readonly StoredChunk[]): OpenedChunk[] =>
  chunks.map((chunk) => ({ chunk, text: textOfChunk(document, chunk) }));

type Paths = HeadingPaths['paths'];

const passagesOf = ({ title }: Document, chunks: readonly OpenedChunk[], paths: Paths): Passage[] =>
  chunks.map(({ chunk, text }, i) => ({ chunk, text: embeddedText(2, { title, headings: paths[i] ?? [], text }) }));

const textsOf = (chunks: readonly OpenedChunk[]): string[] => chunks.map(({ text }) => text);

const pathsOf = (chunks: readonly OpenedChunk[]): Paths => headingPaths(textsOf(chunks)).paths;

const stored = async (op: TextOp, keys: ItemKeys, reader: DocumentReader): Promise<Passage[]> => {
  const document = documentOf(op, keys, op.data.meta);
  const chunks = opened(document, chunksOf(op.data));
  return passagesOf(
    document,
    chunks,
    document.hasHeadings ? (await reader.paths(op, keys, textsOf(chunks))).paths : [],
  );
};

/** The corrected chunk, and those below it whose headings change with it. */
const corrected = async (op: CorrectionOp, keys: ItemKeys, reader: DocumentReader): Promise<Passage[]> => {
  const { workspace, data, position } = op;
  const document = documentOf(op, keys, data.meta);
  const [now] = opened(document, chunksOf(data)) as [OpenedChunk];
  if (!document.hasHeadings) return passagesOf(document, [now], []);
  const known = await reader.documentBefore(workspace, data.itemId, position);
  const others = known.chunks.filter(({ chunkId }) => chunkId !== data.chunkId);
  const after = [...opened(document, others), now].sort((a, b) => a.chunk.ordinal - b.chunk.ordinal);
  const oldText = textOfChunk(document, { ...now.chunk, text: data.oldText });
  const before = after.map((one) => (one === now ? { ...now, text: oldText } : one));
  const [pathsBefore, pathsAfter] = [pathsOf(before), pathsOf(after)];
  const isChanged = (i: number): boolean => pathsBefore[i]!.join('\n') !== pathsAfter[i]!.join('\n');
  return passagesOf(document, after, pathsAfter).filter((_, i) => after[i] === now || isChanged(i));
};

/** The chunks below a forgotten one: its text is gone, and with it which of its headings were above them. */
const belowForgotten = async (op: ForgettingOp, keys: ItemKeys, reader: DocumentReader): Promise<Passage[]> => {
  const { workspace, data, position } = op;
  const { chunks, meta } = await reader.documentBefore(workspace, data.itemId, position);
  const forgotten = chunks.find(({ chunkId }) => chunkId === data.chunkId);
  if (meta === undefined || !forgotten) return [];
  const document = documentOf(op, keys, meta);
  if (!document.hasHeadings) return [];
  const left = opened(
    document,
    chunks.filter(({ chunkId }) => keys.chunks.has(chunkId) && chunkId !== data.chunkId),
  );
  return passagesOf(document, left, pathsOf(left)).filter(({ chunk }) => chunk.ordinal > forgotten.ordinal);
};

/** The chunks that need a vector after this op, each with the text that is embedded for it. */
export const passagesAfter = async (
  recipe: Recipe,
  op: EmbeddedOp,
  keys: ItemKeys,
  reader: DocumentReader,
): Promise<Passage[]> => {
  if (op.type === 'chunk.forgotten') return belowForgotten(op, keys, reader);
  if (recipe === 1)
    return chunksOf(op.data).map((chunk) => ({ chunk, text: textOfChunk({ workspace: op.workspace, keys }, chunk) }));
  return op.type === 'chunk.corrected' ? corrected(op, keys, reader) : stored(op, keys, reader);
};
