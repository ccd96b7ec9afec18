import { describe, expect, it } from '@jest/globals';
import { statementLimitMs, WireFrames, type WireUnit } from './wire-frames.js';

const message = (type: string, body = ''): Buffer => {
  const header = Buffer.alloc(5);
  header.write(type);
  header.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([header, Buffer.from(body)]);
};

const greeting = (code: number, rest = ''): Buffer => {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + rest.length, 0);
  header.writeUInt32BE(code, 4);
  return Buffer.concat([header, Buffer.from(rest)]);
};

const STARTUP = greeting(196_608, 'user\0postgres\0\0');
const EXTENDED = Buffer.concat([message('P', 'select 1'), message('B', 'x'), message('E'), message('S')]);

const drain = (frames: WireFrames): WireUnit[] => {
  const units: WireUnit[] = [];
  for (let unit = frames.next(); unit; unit = frames.next()) units.push(unit);
  return units;
};

const started = (): WireFrames => {
  const frames = new WireFrames();
  frames.push(STARTUP);
  drain(frames);
  return frames;
};

describe('the time limit for a client’s statements', () => {
  it.each([
    ['user\0postgres\0statement_timeout\x003000\0\0', 3_000],
    ['user\0statement_timeout\0database\x003000\0\0', 0],
    ['user\0postgres\0\0', 0],
    ['user\0postgres\0statement_timeout\0soon\0\0', 0],
  ])('is read from its startup packet: %j', (parameters, limitMs) => {
    expect(statementLimitMs(greeting(196_608, parameters))).toBe(limitMs);
  });
});

describe('cutting a client’s bytes into units', () => {
  it('answers encryption requests before the startup packet', () => {
    const frames = new WireFrames();
    frames.push(Buffer.concat([greeting(80_877_103), STARTUP]));
    expect(drain(frames)).toEqual([{ kind: 'encryption-request' }, { kind: 'startup', bytes: STARTUP }]);
  });

  it('keeps everything up to a Sync together', () => {
    const frames = started();
    frames.push(Buffer.concat([EXTENDED, message('Q', 'commit')]));
    expect(drain(frames)).toEqual([
      { kind: 'messages', bytes: EXTENDED, isOpen: false },
      { kind: 'messages', bytes: message('Q', 'commit'), isOpen: false },
    ]);
  });

  it('waits for the Sync when the bytes come one by one', () => {
    const frames = started();
    const units = [...EXTENDED].flatMap((byte) => {
      frames.push(Buffer.from([byte]));
      return drain(frames);
    });
    expect(units).toEqual([{ kind: 'messages', bytes: EXTENDED, isOpen: false }]);
  });

  it('marks an exchange that ends with a Flush as open', () => {
    const frames = started();
    const bytes = Buffer.concat([message('P', 'select 1'), message('H')]);
    frames.push(bytes);
    expect(drain(frames)).toEqual([{ kind: 'messages', bytes, isOpen: true }]);
  });

  it('returns each message of a sign-in by itself, without its header', () => {
    const frames = started();
    frames.push(Buffer.concat([message('p', 'first'), message('p', 'second')]));
    expect(drain(frames).map((unit) => unit.kind === 'sign-in' && unit.body.toString())).toEqual(['first', 'second']);
  });

  it('recognises the Terminate message', () => {
    const frames = started();
    frames.push(message('X'));
    expect(frames.next()).toEqual({ kind: 'terminate' });
  });
});
