import { PinoPretty, type PrettyStream } from 'pino-pretty';

/** Writes synchronously, so that the last line before an exit is not lost. */
export const pinoPretty = (): PrettyStream =>
  PinoPretty({ sync: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss', singleLine: true });
