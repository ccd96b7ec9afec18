/** Strings whole, then whatever gives JSON its shape. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g;

/** How deep arrays and objects go, without recursion and without a parser that might mind the depth. */
export const jsonDepth = (text: string): number => {
  let [depth, deepest] = [0, 0];
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth);
    else if (token === ']' || token === '}') depth--;
  }
  return deepest;
};

/** Line breaks and indents between the tokens of valid JSON. The tokens stay: a parsed number may not be what was written. */
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
