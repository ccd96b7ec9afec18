/**
 * Stored text is data and may be hostile. On its way to a model it loses everything that could make it look like
 * something else: invisible characters, terminal controls, and text that a chat template or a reader mistakes for
 * another speaker. Stored bytes stay unchanged, and ordinary text passes unchanged.
 */

/** Replaces a run of characters that are invisible or that a terminal interprets. */
const REMOVED = '\ufffd';
/** Put in front of a line that begins like a speaker or like one of Cairn's notes: the line is then a quotation. */
const QUOTED = '> ';

/**
 * C0 and C1 controls except white space (escape sequences begin with one), zero-width characters, bidi controls,
 * invisible operators, annotation marks and tags. The joiners U+200C and U+200D are separate: some scripts and emoji
 * need them.
 */
const HIDDEN =
  '\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u009f\\u061c\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e' +
  '\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e007f}';
/** One selector may choose the look of a character; the second in a row shows nothing and can carry a message. */
const VARIATION = '[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]';
/** The neighbours between which a joiner is useful: letters that change their shape, parts of an emoji. */
const JOINED =
  `(?![${HIDDEN}])` +
  '[\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\p{scx=Arabic}\\p{scx=Syriac}\\p{scx=Nko}\\p{scx=Mongolian}' +
  '\\p{scx=Devanagari}\\p{scx=Bengali}\\p{scx=Gurmukhi}\\p{scx=Gujarati}\\p{scx=Oriya}\\p{scx=Tamil}\\p{scx=Telugu}' +
  '\\p{scx=Kannada}\\p{scx=Malayalam}\\p{scx=Sinhala}\\p{scx=Khmer}\\p{scx=Myanmar}]' +
  `(?<!${VARIATION}{2})`;
const JOINER = '[\\u200c\\u200d]';
/** A text may have been cut next to a joiner, so one neighbour is enough at its beginning or end. */
const IDLE_JOINER = `${JOINER}(?:(?<!(?:^|${JOINED})${JOINER})|(?!$|${JOINED})|(?<=^${JOINER})(?=$))`;

/** The character itself comes first in each alternative: a look-behind at every place would cost much more. */
const HIDDEN_RUN = new RegExp(`(?:[${HIDDEN}]|${VARIATION}(?<=${VARIATION}{2})|${IDLE_JOINER})+`, 'gu');
/**
 * Every match of `HIDDEN_RUN` contains one of these, and most texts have none. Tests UTF-16 units, which is ten times
 * as fast: the last three begin the characters outside the basic plane.
 */
const MAYBE_HIDDEN =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\ud82f\ud834\udb40]/;

const ROLE = 'system|assistant|user|human|developer';
const SPEAKER =
  `(?:${ROLE})[ \\t]*:|#{2,4}[ \\t]*(?:${ROLE}|instruction|response)[ \\t]*:` +
  `|</?(?:(?:${ROLE})(?:[-_][a-z]+)?|(?:tool|function)_[a-z]+)>|\\[/?inst\\]|<</?sys>>|<(?:start|end)_of_turn>`;
const TRAILER = '[ \\t]*\\[(?:hint:|trace:|superseded:|mesh-tier\\])';
const LOOK_ALIKE = new RegExp(`${SPEAKER}|${TRAILER}`, 'iuy');
/** Characters that some reader treats as the end of a line. */
const LINE_END = /[\n\v\f\r\u0085\u2028\u2029]/g;

/** The special tokens of chat templates, such as `<|im_start|>`, anywhere in a line. */
const SPECIAL_TOKEN = /<[|｜]([^\s<>|｜]{1,64})[|｜]>/gu;

/** The starts of lines that look like something else. Testing only line starts keeps this cheap. */
const lookAlikes = (text: string): number[] => {
  const starts: number[] = [];
  LINE_END.lastIndex = 0;
  for (let start = 0; ; start = LINE_END.lastIndex) {
    LOOK_ALIKE.lastIndex = start;
    if (LOOK_ALIKE.test(text)) starts.push(start);
    if (!LINE_END.test(text)) return starts;
  }
};

const quoted = (text: string): string => {
  const starts = lookAlikes(text);
  if (starts.length === 0) return text;
  return text.slice(0, starts[0]) + starts.map((start, i) => QUOTED + text.slice(start, starts[i + 1])).join('');
};

export const neutralise = (text: string): string => {
  const seen = MAYBE_HIDDEN.test(text) ? text.replace(HIDDEN_RUN, REMOVED) : text;
  const safe = quoted(seen);
  return safe.includes('<|') || safe.includes('<｜') ? safe.replace(SPECIAL_TOKEN, '<¦$1¦>') : safe;
};

export interface Neutralised<T> {
  readonly value: T;
  /** Whether anything had to be changed. */
  readonly sanitized: boolean;
}

/** The same for every text inside a value, at any depth. Keys are Cairn's own. */
export const neutraliseAll = <T>(value: T): Neutralised<T> => {
  let sanitized = false;
  const walk = (node: unknown): unknown => {
    if (typeof node === 'string') {
      const clean = neutralise(node);
      sanitized ||= clean !== node;
      return clean;
    }
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, walk(inner)]));
  };
  const clean = walk(value) as T;
  return { value: sanitized ? clean : value, sanitized };
};

/** In `_meta` of an answer or of a resource's content: a part of it differs from the stored text. */
export const SANITIZED_META = 'cairn/sanitized';
