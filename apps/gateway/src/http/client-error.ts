import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SAFE_HEADERS } from '@cairn/observability';

const STATUS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

const HEAD = Object.entries({ connection: 'close', 'content-length': '0', ...SAFE_HEADERS })
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** Node keeps the response in progress here; its own handler of broken requests reads it as well. */
const answerUnderWay = (socket: Socket): ServerResponse | null | undefined =>
  (socket as { _httpMessage?: ServerResponse | null })._httpMessage;

/** Answers input that is not HTTP, or that is late, as Node does, but with the headers of every other answer. */
export const answerClientErrors = (server: Server): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const isAnswered = answerUnderWay(socket)?.headersSent === true;
    if (!socket.writable || isAnswered) return void socket.destroy();
    socket.end(`HTTP/1.1 ${STATUS[error.code ?? ''] ?? '400 Bad Request'}\r\n${HEAD}\r\n`, () => socket.destroy());
  });
};
