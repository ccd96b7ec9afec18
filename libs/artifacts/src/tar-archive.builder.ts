import { gzipSync } from 'node:zlib';

/** Packs files the way npm does: ustar blocks, and a pax header before a name that does not fit. */
export const tgzOf = (files: Readonly<Record<string, string>>): Buffer => {
  const entries = Object.entries(files).flatMap(([name, content]) =>
    name.length > 99
      ? [block('PaxHeader', 'x', paxPath(name)), block('cut', '0', content)]
      : [block(name, '0', content)],
  );
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]));
};

const block = (name: string, type: string, content: string): Buffer => {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644', 100);
  header.write(Buffer.byteLength(content).toString(8).padStart(11, '0'), 124);
  header.write(type, 156);
  header.write('ustar', 257);
  const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512);
  body.write(content);
  return Buffer.concat([header, body]);
};

const paxPath = (path: string): string => {
  const record = ` path=${path}\n`;
  return `${record.length + String(record.length + 3).length}${record}`;
};
