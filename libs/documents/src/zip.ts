import { crc32, inflateRawSync } from 'node:zlib';
import { AppError } from '@cairn/kernel';
import { unreadable } from './document-format.js';

export interface ZipEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const END_SIGNATURE = 0x06054b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_BYTES = 22;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const COMMENT_BYTES_MAX = 0xffff;
const [STORED, DEFLATED] = [0, 8];

const findEnd = (zip: Buffer): number => {
  const lowest = Math.max(0, zip.length - END_BYTES - COMMENT_BYTES_MAX);
  for (let at = zip.length - END_BYTES; at >= lowest; at--) if (zip.readUInt32LE(at) === END_SIGNATURE) return at;
  throw unreadable('its archive is cut off');
};

interface Listed {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly packedBytes: number;
  readonly at: number;
}

const list = (zip: Buffer): Listed[] => {
  const end = findEnd(zip);
  const entries: Listed[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== CENTRAL_SIGNATURE) throw unreadable('the list of its archive is damaged');
    const nameBytes = zip.readUInt16LE(at + 28);
    entries.push({
      name: zip.toString('utf8', at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes),
      flags: zip.readUInt16LE(at + 8),
      method: zip.readUInt16LE(at + 10),
      packedBytes: zip.readUInt32LE(at + 20),
      at: zip.readUInt32LE(at + 42),
    });
    at += CENTRAL_BYTES + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
};

const unpack = (zip: Buffer, { flags, method, packedBytes, at }: Listed, bytesMax: number): Uint8Array => {
  if ((flags & 1) !== 0) throw unreadable('its archive is encrypted');
  if (zip.readUInt32LE(at) !== LOCAL_SIGNATURE) throw unreadable('an entry of its archive is damaged');
  const start = at + LOCAL_BYTES + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
  const packed = zip.subarray(start, start + packedBytes);
  if (method === STORED) {
    // Several entries may share the same bytes, so these are counted too.
    if (packed.length > bytesMax) throw unreadable('its archive unpacks to more than a document holds');
    return packed;
  }
  if (method === DEFLATED) return inflateRawSync(packed, { maxOutputLength: Math.max(1, bytesMax) });
  throw unreadable('its archive is packed in an unknown way');
};

/**
 * The wanted entries of an archive, unpacked up to `bytesMax` in total. The sizes that the archive declares are not
 * trusted: unpacking itself is limited, so a zip bomb costs no more than the limit.
 */
export const readZip = (bytes: Uint8Array, isWanted: (name: string) => boolean, bytesMax: number): ZipEntry[] => {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let left = bytesMax;
  try {
    return list(zip)
      .filter(({ name }) => isWanted(name))
      .map((entry) => {
        const unpacked = unpack(zip, entry, left);
        left -= unpacked.length;
        return { name: entry.name, bytes: unpacked };
      });
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    if ((thrown as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw unreadable(`it unpacks to more than ${bytesMax} bytes`, thrown);
    throw unreadable('its archive is damaged', thrown);
  }
};

const header = (signature: number, size: number, { name, bytes }: ZipEntry): Buffer => {
  const fixed = Buffer.alloc(size);
  const shift = signature === CENTRAL_SIGNATURE ? 2 : 0;
  fixed.writeUInt32LE(signature, 0);
  fixed.writeUInt32LE(crc32(bytes), 14 + shift);
  fixed.writeUInt32LE(bytes.length, 18 + shift);
  fixed.writeUInt32LE(bytes.length, 22 + shift);
  fixed.writeUInt16LE(Buffer.byteLength(name), 26 + shift);
  return fixed;
};

/** An uncompressed archive of these entries, for a library that requires an archive: it cannot expand further. */
export const writeZip = (entries: readonly ZipEntry[]): Buffer => {
  const [locals, centrals]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const central = header(CENTRAL_SIGNATURE, CENTRAL_BYTES, entry);
    central.writeUInt32LE(at, 42);
    centrals.push(central, name);
    const local = [header(LOCAL_SIGNATURE, LOCAL_BYTES, entry), name, Buffer.from(entry.bytes)];
    locals.push(...local);
    at += local.reduce((sum, part) => sum + part.length, 0);
  }
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END_SIGNATURE, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(
    centrals.reduce((sum, part) => sum + part.length, 0),
    12,
  );
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, ...centrals, end]);
};
