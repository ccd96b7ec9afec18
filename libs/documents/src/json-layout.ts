/** Whole strings, then the characters that structure JSON. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g;

/** How deep arrays and objects are nested. No recursion and no parser, since both fail on great depth. */
export const jsonDepth = (text: string): number => {
  let [depth, deepest] = [0, 0];
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth);
    else if (token === ']' || token === '}') depth--;
  }
  return deepest;
};

/** Adds line breaks and indents between the tokens of valid JSON. Tokens stay, because parsing could change a number. */
export const indentJson = (text: string): string => {
  const parts: string[] = [];
  let depth = 0;
  let previous = '';
  const newLine = (): void => void parts.push('\n', '  '.repeat(depth));
  for (const [token] of text.matchAll(TOKENS)) {
    const isClosing = token === ']' || token === '}';
    const isEmpty = isClosing && (previous === '[' || previous === '{');
    if (isClosing) depth--;
    if ((isClosing && !isEmpty) || (!isClosing && (previous === '[' || previous === '{' || previous === ',')))
      newLine();
    parts.push(token === ':' ? ': ' : token);
    if (token === '[' || token === '{') depth++;
    previous = token;
  }
  return parts.join('');
};
