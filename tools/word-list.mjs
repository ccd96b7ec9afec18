// The words that `tools/check-words.mjs` refuses, as data: a pattern and what to write instead. A space in a phrase also
// matches a line break inside a comment or a paragraph.
const GAP = String.raw`(?:[ \t]+|[ \t]*\n[ \t]*(?:\*(?!/)|//|--|#|>)?[ \t]*)`;

/**
 * A phrase, written as a regular expression. Its first letter may be a capital.
 * @param {string} source @param {string} instead
 */
const phrase = (source, instead) => ({
  pattern: new RegExp(`\\b(?:${source.replaceAll(' ', GAP)})`, 'gi'),
  instead,
});

/** Like a phrase, but capitals matter. @param {string} source @param {string} instead */
const exact = (source, instead) => ({ pattern: new RegExp(source.replaceAll(' ', GAP), 'g'), instead });

/**
 * A word in prose and as a part of an identifier: told, isTold, TOLD_MS. Not as a part of a stored name (x_told_total).
 * @param {string} lower @param {string} instead @param {{ unlessAfter?: string }} options
 */
const word = (lower, instead, { unlessAfter } = {}) => {
  const [capital, upper] = [lower.charAt(0).toUpperCase() + lower.slice(1), lower.toUpperCase()];
  const before = unlessAfter ? `(?<!\\b(?:${unlessAfter})${GAP})` : '';
  const alone = `(?<![A-Za-z_-])${before}(?:${lower}|${capital}|${upper})(?![a-z])`;
  return { pattern: new RegExp(`${alone}|(?<=[a-z])${capital}(?![a-z])|(?<=_)${upper}\\b`, 'g'), instead };
};

const MOVES =
  '[Tt]akes?|took|taken|taking|[Tt]hrows?|thrown|goes|go|gone|going|went|turns?|turned|rotated|scrolls?|gives?|right|far';
const COMPARED =
  'longer|more|less|fewer|later|earlier|older|newer|better|worse|larger|smaller|slower|faster|different|one|such|need|use|further';
const ARTICLE = 'the|a|an|any|too|enough|this|that|its|all|one';

export const WORDS = [
  word('away', 'unavailable', { unlessAfter: `${MOVES}|it|them|nothing|anything|rows|hours|command` }),
  word('anew', 'again, or rebuilt'),
  word('told', 'reported, returned, informed or distinguished'),
  word('said', 'reported, stated or given'),
  word('somebody', 'the caller, another replica, a person'),
  word('whoever', 'the caller that, any process that'),
  // In quotation marks it is the name of a user of the machine.
  exact(`(?<![A-Za-z_'"-])[Nn]obody(?![a-z])|(?<=[a-z])Nobody(?![a-z])`, 'no one, no caller, no other process'),
  word('besides', 'also, in addition to, other than'),
  word('thereof', 'of it'),
  exact(
    `(?<![Tt]here )\\b(?:[Ii]s|[Aa]re|[Ww]as|[Ww]ere) no (?!(?:${COMPARED})\\b)(?=[a-z"'\`])`,
    'is not a/an …, or: there is no …',
  ),
  phrase(`(?:has|have|had) not(?= (?:${ARTICLE})\\b| ?[.,;:)])`, 'does not have, lacks'),
  phrase('get(?:s|ting)? on\\b(?! (?:the|a|to|with)\\b)', 'proceeds; "does not get on" is: is stalled'),
  phrase('for ever\\b', 'forever'),
  phrase('in vain\\b', 'without success'),
  phrase('at hand\\b', 'available'),
  phrase('back to light\\b', 'makes visible again'),
  phrase('lead(?:s|ing)? on\\b|led on\\b', 'links to, continues with'),
  phrase('ma(?:ke|kes|king|de) way\\b', 'yields'),
  phrase('from before\\b', 'written before …, of an earlier version'),
  phrase('there is nothing here\\b', 'not found'),
  phrase('g(?:ive|ives|iving|ave|iven) back\\b', 'returns'),
  phrase('hear(?:s|d)?\\b', 'receives, listens to, is notified'),
  exact('\\bhear[A-Z]\\w*|\\b(?:is|are)There\\b', 'listenFor…, exists'),
  exact('\\b(?:Of (?:what|which|whom|whose)|So that)\\b', 'begin the sentence with its subject'),
];

const REASON = 'the reason itself, or the ADR: nothing outside the repository is referenced';

/** Documents that a reader of this repository does not have. */
export const REFERENCES = [
  exact('\\bX-\\d{1,2}\\b', REASON),
  exact('\\b(?:RELIABILITY|CARABASE|TOOLCHAIN)\\b|\\b(?:REQUIREMENTS|API|DESIGN|MCP|STYLE)\\.md\\b|\\bSTYLE:', REASON),
  exact('\\b[Ii]nvariant I\\d+\\b', REASON),
];

/** The id of a requirement: for titles of tests and the manifest in e2e. */
export const REQUIREMENT_ID = exact('\\b[GNDC]-\\d{2}[a-z]?\\b', `${REASON}; a requirement's id stands in test titles`);
