import { ITEM_TEXT_CHARS_MAX, fail } from '@cairn/contracts';
import { unreadable } from './document-format.js';

/** The most bytes per character in any supported encoding. */
const BYTES_PER_CHAR_MAX = 4;

export const tooMuchText = () =>
  fail('input.too_large', `the text of the file must have at most ${ITEM_TEXT_CHARS_MAX} characters; split the file`, {
    field: 'file',
    limit: ITEM_TEXT_CHARS_MAX,
  });

/** For formats whose text is as long as the file: refuses an oversized file before decoding it. */
export const checkTextBytes = (bytes: Uint8Array): void => {
  if (bytes.length > ITEM_TEXT_CHARS_MAX * BYTES_PER_CHAR_MAX) throw tooMuchText();
};

const encodingOf = (bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
};

/** UTF-8, or UTF-16 with a byte order mark. Anything else would be a guess, and a wrong guess corrupts the text permanently. */
export const decodeText = (bytes: Uint8Array): string => {
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unreadable(`it is not valid ${encoding.toUpperCase()} text; save it as UTF-8`, cause);
  }
};

/** The characters that windows-1252 assigns to 0x80 to 0x9f; five stay control characters. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Decodes bytes by an encoding label; throws for an unknown label and for invalid bytes. Node 20 decodes windows-1252
 * (also named latin1 and us-ascii) as ISO 8859-1, which turns quotes and the euro sign into control characters.
 */
export const decodeAs = (label: string, bytes: Uint8Array): string => {
  const decoder = new TextDecoder(label, { fatal: true });
  if (decoder.encoding !== 'windows-1252') return decoder.decode(bytes);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return text.replace(/[\u0080-\u009f]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80));
};

const DECLARED_WITHIN = 1_024;

/** HTML may declare an encoding in its head. A file that is valid UTF-8 is read as UTF-8, whatever it declares. */
export const decodeHtml = (bytes: Uint8Array): string => {
  try {
    return decodeText(bytes);
  } catch (refused) {
    const head = Buffer.from(bytes.subarray(0, DECLARED_WITHIN)).toString('latin1');
    const declared = /<meta[^>]{0,200}charset\s{0,9}=\s{0,9}["']?([\w-]{1,40})/i.exec(head)?.[1];
    if (declared === undefined || /^utf-?8$/i.test(declared)) throw refused;
    try {
      return decodeAs(declared, bytes);
    } catch {
      throw refused;
    }
  }
};
