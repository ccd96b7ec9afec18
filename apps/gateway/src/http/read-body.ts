import type { IncomingMessage } from 'node:http';
import { BODY_BYTES_MAX, fail, FILE_BYTES_MAX, FORM_BYTES_MAX } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';

/**
 * How much a rejected sender may still send before its connection is cut; a smaller limit would hide the error behind a
 * reset.
 */
const DRAIN_BYTES_MAX = 2 * FORM_BYTES_MAX;

const tooLarge = (): AppError =>
  fail('input.too_large', `the body must have at most ${BODY_BYTES_MAX} bytes`, {
    field: 'body',
    limit: BODY_BYTES_MAX,
  });

export const fileTooLarge = (): AppError =>
  fail('input.too_large', `a file must have at most ${FILE_BYTES_MAX} bytes`, { field: 'file', limit: FILE_BYTES_MAX });

/** A form may declare more than other bodies; whether its route accepts forms is checked later. */
export const checkDeclaredSize = (req: IncomingMessage, isForm: boolean): void => {
  if (Number(req.headers['content-length'] ?? 0) <= (isForm ? FORM_BYTES_MAX : BODY_BYTES_MAX)) return;
  drain(req);
  throw isForm ? fileTooLarge() : tooLarge();
};

export const drain = (req: IncomingMessage): void => {
  let drained = 0;
  req.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > DRAIN_BYTES_MAX) req.destroy();
  });
  req.resume();
};

/** Only JSON in plain UTF-8 is read; the header is taken at its word. */
export const checkMediaType = (req: IncomingMessage): void => {
  const [type = '', ...parameters] = (req.headers['content-type'] ?? '').toLowerCase().split(';');
  const refuse = (message: string) => fail('route.unsupported_media', message, { field: 'Content-Type' });
  if (type.trim() !== 'application/json') throw refuse('the Content-Type must be application/json');
  const charset = parameters.map((part) => part.trim().split('=')).find(([name]) => name === 'charset')?.[1];
  if (charset !== undefined && !['utf-8', 'utf8', '"utf-8"'].includes(charset))
    throw refuse('the charset must be utf-8');
  checkEncoding(req);
};

export const checkEncoding = (req: IncomingMessage): void => {
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw fail('route.unsupported_media', 'a Content-Encoding is not accepted', { field: 'Content-Encoding' });
  }
};

export const readBody = (req: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= BODY_BYTES_MAX) return;
      req.off('data', onData).off('end', onEnd);
      drain(req);
      reject(tooLarge());
    };
    const onEnd = (): void => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    req.on('data', onData).on('end', onEnd);
    req.on('error', (cause) => reject(fail('input.malformed', 'the body could not be read', { field: 'body' }, cause)));
    req.on('aborted', () => reject(fail('input.malformed', 'the body ended early', { field: 'body' })));
  });
