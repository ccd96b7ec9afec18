/** Chunk ids are kept as 16 bytes each: as strings they would take more memory than the vectors' overhead allows. */
export const UUID_BYTES = 16;

export const uuidBytes = (ids: readonly string[]): Uint8Array =>
  new Uint8Array(Buffer.from(ids.join('').replaceAll('-', ''), 'hex'));

export const uuidAt = (ids: Uint8Array, row: number): Uint8Array =>
  ids.subarray(row * UUID_BYTES, (row + 1) * UUID_BYTES);

/** A set of ids that is quick to test against: most ids differ in their last, random bytes. */
export class UuidSet {
  private readonly byTail = new Map<number, Uint8Array[]>();

  constructor(ids: Uint8Array) {
    for (let row = 0; row < ids.length / UUID_BYTES; row++) {
      const id = uuidAt(ids, row);
      const tail = tailOf(id, 0);
      this.byTail.set(tail, [...(this.byTail.get(tail) ?? []), id]);
    }
  }

  hasRow(ids: Uint8Array, row: number): boolean {
    const alike = this.byTail.get(tailOf(ids, row));
    return alike !== undefined && alike.some((id) => Buffer.compare(id, uuidAt(ids, row)) === 0);
  }
}

const tailOf = (ids: Uint8Array, row: number): number => {
  const end = (row + 1) * UUID_BYTES;
  return (ids[end - 4]! << 24) | (ids[end - 3]! << 16) | (ids[end - 2]! << 8) | ids[end - 1]!;
};
