import { ITEM_TEXT_CHARS_MAX, fail } from '@cairn/contracts';
import { unreadable } from './document-format.js';

/** In every encoding that is read, a character takes at most this many bytes. */
const BYTES_PER_CHAR_MAX = 4;

export const tooMuchText = () =>
  fail('input.too_large', `the text of the file must have at most ${ITEM_TEXT_CHARS_MAX} characters; split the file`, {
    field: 'file',
    limit: ITEM_TEXT_CHARS_MAX,
  });

/** For formats whose text is as long as the file: what is too long is refused before it is decoded. */
export const checkTextBytes = (bytes: Uint8Array): void => {
  if (bytes.length > ITEM_TEXT_CHARS_MAX * BYTES_PER_CHAR_MAX) throw tooMuchText();
};

const encodingOf = (bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
};

/** UTF-8, or UTF-16 with a byte order mark. Anything else would be a guess, and a wrong one garbles the text for good. */
export const decodeText = (bytes: Uint8Array): string => {
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unreadable(`it is not valid ${encoding.toUpperCase()} text; save it as UTF-8`, cause);
  }
};

/** What windows-1252 has in place of the control characters 0x80 to 0x9f; five of them it leaves as they are. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Bytes in an encoding that a label names; it throws for a label that is unknown and for bytes that do not fit. Node 20
 * takes windows-1252, which latin1 and us-ascii are other names of, for ISO 8859-1: quotes and the euro sign would
 * become control characters.
 */
export const decodeAs = (label: string, bytes: Uint8Array): string => {
  const decoder = new TextDecoder(label, { fatal: true });
  if (decoder.encoding !== 'windows-1252') return decoder.decode(bytes);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return text.replace(/[\u0080-\u009f]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80));
};

const DECLARED_WITHIN = 1_024;

/** HTML may name another encoding in its head; a file that is valid UTF-8 is taken as that, whatever it says. */
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
