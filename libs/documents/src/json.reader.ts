import { FILE_JSON_DEPTH_MAX } from '@cairn/contracts';
import { unreadable } from './document-format.js';
import { indentJson, jsonDepth } from './json-layout.js';
import type { RawDocument } from './parsed-document.js';
import { decodeText } from './text-encoding.js';

/** Where the parser stopped, if its message states it. The rest of the message would quote the file. */
const placeOf = (thrown: unknown): string => {
  const { message } = thrown as Error;
  if (message.includes('end of JSON')) return ': it ends too early';
  const position = /position (\d+)/.exec(message)?.[1];
  return position === undefined ? '' : ` at character ${position}`;
};

/** Valid JSON with line breaks stays as it is. A single line is formatted, so that the chunker has places to cut. */
export const readJson = (bytes: Uint8Array): RawDocument => {
  const text = decodeText(bytes).trim();
  if (jsonDepth(text) > FILE_JSON_DEPTH_MAX)
    throw unreadable(`its JSON is nested deeper than ${FILE_JSON_DEPTH_MAX} levels`);
  try {
    JSON.parse(text);
  } catch (thrown) {
    throw unreadable(`it is not valid JSON${placeOf(thrown)}`, thrown);
  }
  return { text: text.includes('\n') ? text : indentJson(text) };
};
