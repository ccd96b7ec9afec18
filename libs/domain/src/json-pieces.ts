import { counted, fits, plainPieces, startingWith, type Piece } from './text-pieces.js';

/** Strings whole, so that brackets within them do not count; a comma with the blanks behind it, up to the next line. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{}]|,[ \t\r]*\n?/g;

/** Deeper than most data is, such as the points of shapes in a collection; each level is another look at the text. */
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

/** Behind the commas that stand within `depth` brackets; the text begins within `opened` of them. */
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
  // Small neighbours fill a chunk together; one that had to be cut starts a new chunk, and so does what follows it.
  return elements.flatMap((pieces, i) =>
    pieces.length > 1 || (elements[i - 1]?.length ?? 0) > 1 ? startingWith('element', pieces) : pieces,
  );
};

/** Valid JSON between its elements and properties, the outermost first, and finer where one of them is too long. */
export const jsonPieces = (text: string): Piece[] => piecesWithin(text, 0, 1);
