import { counted, fits, plainPieces, startingWith, type Piece } from './text-pieces.js';

/**
 * Matches whole strings, so that brackets within them do not count, and a comma with the spaces after it, up to the
 * next line.
 */
const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{}]|,[ \t\r]*\n?/g;

/** Deeper than most data, such as the points of shapes in a collection; each level reads the text once more. */
const CUT_DEPTH_MAX = 8;

export const isJson = (text: string): boolean => {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Splits after the commas that are exactly `depth` brackets deep; the text begins `opened` brackets deep. */
const splitElements = (text: string, opened: number, depth: number): string[] => {
  const elements: string[] = [];
  let [start, inside] = [0, opened];
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token === '[' || token === '{') inside++;
    else if (token === ']' || token === '}') inside--;
    else if (token.startsWith(',') && inside === depth) {
      elements.push(text.slice(start, index + token.length));
      start = index + token.length;
    }
  }
  return [...elements, text.slice(start)];
};

const piecesWithin = (text: string, opened: number, depth: number): Piece[] => {
  const whole = counted(text);
  if (fits(whole)) return [whole];
  if (depth > CUT_DEPTH_MAX) return plainPieces(text);
  const elements = splitElements(text, opened, depth).map((element, i) =>
    piecesWithin(element, i === 0 ? opened : depth, depth + 1),
  );
  // Small neighbours fill a chunk together; an element that had to be cut starts a new chunk, and so does the next one.
  return elements.flatMap((pieces, i) =>
    pieces.length > 1 || (elements[i - 1]?.length ?? 0) > 1 ? startingWith('element', pieces) : pieces,
  );
};

/**
 * Cuts valid JSON between its elements and properties, outermost first, and more finely where one of them is too long.
 */
export const jsonPieces = (text: string): Piece[] => piecesWithin(text, 0, 1);
