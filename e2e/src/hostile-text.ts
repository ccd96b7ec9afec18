/** Text that is dangerous elsewhere, and only text here. */
export const HOSTILE: readonly (readonly [string, string])[] = [
  ['SQL', `'; drop table library.items; --`],
  ['more SQL', `" or 1=1 /* $1 $$ */ \\`],
  ['tsquery', `a & b | !c <-> (d:* "`],
  ['wildcards', '%_%\\%*?'],
  ['a query of a search server', '{"match_all":{}} +a -b ~2 ^3 [1 TO *]'],
  ['a prototype', '__proto__'],
  ['JSON', '{"title":"x","isAdmin":true,"a":[null]}'],
  ['a template', '${process.exit(1)} {{7*7}} <%= 1 %>'],
  ['markup', '<script>alert(1)</script>&amp;&#0;'],
  ['a path', '../../../../etc/passwd'],
  ['a path of Windows', '..\\..\\C:\\boot.ini'],
  // Other letters than elsewhere: a folder treats names with the same letters as one name.
  ['line breaks', 'p\r\nq\u2028r\u0085s'],
  ['a header', 'a\r\nSet-Cookie: b=c\r\n\r\n'],
  ['escapes of a terminal', '\u001b[2J\u001b]0;title\u0007\u0008\u007f'],
  ['right to left', '\u202eabc\u2066def\u2069'],
  ['nothing to see', '\u200b\u200d\ufeff\u00ad'],
  ['many marks', `a${'\u0334\u0301'.repeat(25)}`],
  ['a format string', '%s%n%x %00'],
  ['the end of Unicode', '\u{10ffff}\uffff\ufffe'],
  ['composed', 'caf\u00e9 \u00c5 \ufb01'],
  ['decomposed', 'cafe\u0301 \u212b \u1100\u1161'],
];

/** Characters that no text may contain. Lone surrogates cannot be written in a URL or a form. */
export const NUL = 'a\u0000b';
export const LONE_SURROGATES = ['a\ud800b', 'a\udc00\ud800b', '\udfff'];

/** Text that only the inside of a server produces: a stack trace, its own files, messages of its database or broker. */
const INTERNAL =
  /\bat \S+ \(|\.[jt]s:\d+|node_modules|syntax error|invalid byte sequence|invalid input syntax|out of range:|relation "|violates|ECONN|nats:|Error:/;

export const isInternal = (answer: string): boolean => INTERNAL.test(answer);
