import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { fail, FETCH_BYTES_MAX } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

export const READABLE_MEDIA_TYPES: readonly string[] = [
  'text/html',
  'text/plain',
  'text/markdown',
  'text/csv',
  'application/json',
  'application/pdf',
  DOCX,
];

export interface MediaType {
  readonly mediaType: string;
  readonly charset?: string;
}

const field = { field: 'url' };

const unsupported = (message: string): AppError => fail('url.unsupported', message, field);

const tooLarge = (): AppError =>
  fail('url.too_large', `the page must have at most ${FETCH_BYTES_MAX} bytes`, { ...field, limit: FETCH_BYTES_MAX });

/** The error for an answer that is not a page. It contains only the status, which the site cannot fill with text. */
export const refuseStatus = (status: number): void => {
  if (status === 200) return;
  if (status >= 500 || status === 429 || status === 408) {
    throw fail('url.unreachable', `the site answered with status ${status} instead of a page`, field);
  }
  throw fail('url.no_page', `there is no public page at this url: the site answered with status ${status}`, field);
};

/** The media type, if it is supported. */
export const readableType = ({ headers }: IncomingMessage): MediaType => {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const mediaType = type.trim();
  if (!READABLE_MEDIA_TYPES.includes(mediaType)) {
    throw unsupported(`url must lead to one of ${READABLE_MEDIA_TYPES.join(', ')}`);
  }
  const charset = parameters.map((text) => /^\s*charset="?([\w.:-]{1,40})"?\s*$/.exec(text)?.[1]).find(Boolean);
  return { mediaType, ...(charset ? { charset } : {}) };
};

/** Passes data through, up to the limit. */
async function* bounded(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of source) {
    total += chunk.length;
    if (total > FETCH_BYTES_MAX) throw tooLarge();
    yield chunk;
  }
}

const collected = async (source: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** The body, limited on the wire and again after decompression: a small archive may hold a large page. */
export const readBody = async (response: IncomingMessage): Promise<Buffer> => {
  if (Number(response.headers['content-length'] ?? 0) > FETCH_BYTES_MAX) throw tooLarge();
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return pipeline(response, bounded, collected);
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw unsupported('the page came in an encoding that was not asked for');
  return pipeline(response, bounded, createGunzip(), bounded, collected);
};
