import { RESIDENT_GROWTH } from '@cairn/contracts';
import { UUID_BYTES, uuidAt, type UuidSet } from './uuid-bytes.js';

const ROWS_MIN = 16;

/** The quantized vectors of one folder, without gaps, and the chunk id of each. Whatever leaves it is overwritten. */
export class VectorSegment {
  count = 0;
  private values = new Int8Array(0);
  private ids = new Uint8Array(0);

  constructor(private readonly dims: number) {}

  get bytes(): number {
    return this.values.byteLength + this.ids.byteLength;
  }

  /** The rows in use, one after the other. */
  get rows(): Int8Array {
    return this.values.subarray(0, this.count * this.dims);
  }

  idAt(row: number): Uint8Array {
    return uuidAt(this.ids, row);
  }

  append(id: Uint8Array, values: Int8Array): void {
    if (this.count * UUID_BYTES === this.ids.length) this.grow();
    this.values.set(values, this.count * this.dims);
    this.ids.set(id, this.count * UUID_BYTES);
    this.count++;
  }

  /** Removes every row with one of these ids. */
  remove(ids: UuidSet): void {
    for (let row = this.count - 1; row >= 0; row--) if (ids.hasRow(this.ids, row)) this.removeAt(row);
  }

  clear(): void {
    this.values.fill(0);
    this.ids.fill(0);
    this.count = 0;
  }

  /** The last row takes the place of the removed one. */
  private removeAt(row: number): void {
    const { dims } = this;
    const last = --this.count;
    this.values.copyWithin(row * dims, last * dims, (last + 1) * dims);
    this.values.fill(0, last * dims, (last + 1) * dims);
    this.ids.copyWithin(row * UUID_BYTES, last * UUID_BYTES, (last + 1) * UUID_BYTES);
    this.ids.fill(0, last * UUID_BYTES, (last + 1) * UUID_BYTES);
  }

  private grow(): void {
    const rows = Math.max(ROWS_MIN, Math.ceil(this.count * RESIDENT_GROWTH));
    const [values, ids] = [new Int8Array(rows * this.dims), new Uint8Array(rows * UUID_BYTES)];
    values.set(this.values);
    ids.set(this.ids);
    this.values.fill(0);
    [this.values, this.ids] = [values, ids];
  }
}
