import { sentencesOf } from '@cairn/contracts';

const ENDS_SENTENCE = /[.!?]["'”’)\]]*$/u;
const BULLET = /^[ \t]*[-*+] /u;
/** Words too common to distinguish one sentence from another. */
const SMALL_WORD =
  /^(?:the|a|an|our|its|that|this|of|on|in|at|to|for|and|or|is|are|was|were|how|where|when|which|who)$/u;

const plainWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_/@#-]+/gu) ?? [];

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The text with a sentence at its end, or with a further line if its lines are not sentences. */
export const withSentence = (text: string, sentence: string): string => {
  const body = text.trimEnd();
  if (body.includes(sentence)) return text;
  const end = text.slice(body.length);
  const lastLine = body.slice(body.lastIndexOf('\n') + 1);
  const bullet = BULLET.exec(lastLine)?.[0];
  if (bullet !== undefined) return `${body}\n${bullet}${sentence}${end}`;
  const isProse = ENDS_SENTENCE.test(lastLine);
  if (!isProse && body.includes('\n')) return `${body}\n${sentence}${end}`;
  const added = ENDS_SENTENCE.test(sentence) ? sentence : `${sentence}.`;
  return `${body}${isProse ? '' : '.'} ${capitalised(added)}${end}`;
};

const isAbout = (piece: string, wanted: readonly string[]): boolean => {
  const words = new Set(plainWords(piece));
  return wanted.every((word) => words.has(word));
};

/** The line break after a sentence stays if other sentences of the line remain. */
const without = (pieces: readonly string[], gone: number): string[] => {
  const before = pieces[gone - 1];
  const staysInLine = pieces[gone]!.endsWith('\n') && before !== undefined && !before.endsWith('\n');
  const kept = pieces.toSpliced(gone, 1);
  return staysInLine ? kept.with(gone - 1, `${before.trimEnd()}\n`) : kept;
};

/** The text without its only sentence about something; undefined if there are none or several. */
export const withoutSentence = (text: string, about: string): string | undefined => {
  const wanted = plainWords(about).filter((word) => !SMALL_WORD.test(word));
  const pieces = sentencesOf(text);
  const found = pieces.flatMap((piece, i) => (wanted.length > 0 && isAbout(piece, wanted) ? [i] : []));
  if (found.length !== 1) return undefined;
  const left = without(pieces, found[0]!).join('').trimEnd();
  return left === '' ? '' : left + text.slice(text.trimEnd().length);
};

/** The text without words that occur in it once. */
export const withoutWords = (text: string, words: string): string | undefined => {
  const at = text.indexOf(words);
  if (words.trim() === '' || at < 0 || text.indexOf(words, at + 1) >= 0) return undefined;
  const [before, after] = [text.slice(0, at), text.slice(at + words.length)];
  // Of the spaces on both sides, one is left, and none before a punctuation mark.
  return /^[ \t.,;:!?]|^$/u.test(after) ? before.replace(/[ \t]+$/u, '') + after : before + after;
};
