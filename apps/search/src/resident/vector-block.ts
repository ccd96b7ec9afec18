import usearch from 'usearch';
import { cosineError, quantize } from './quantize.js';
import type { FolderChoice, Scanned } from './resident-protocol.js';
import { UUID_BYTES, uuidAt, UuidSet } from './uuid-bytes.js';
import { VectorSegment } from './vector-segment.js';

/** How many more rows are read than are wanted, for those whose order the quantized vectors cannot tell. */
const READ_AHEAD = 2;

interface Hit {
  readonly distance: number;
  readonly id: Uint8Array;
}

/** The vectors of one workspace and model, by folder: a scan reads only the folders that it is for. */
export class VectorBlock {
  private readonly segments = new Map<string, VectorSegment>();
  /** The widest step of any vector that was ever added. */
  private step = 0;

  constructor(readonly dims: number) {}

  get rows(): number {
    return [...this.segments.values()].reduce((sum, { count }) => sum + count, 0);
  }

  get bytes(): number {
    return [...this.segments.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Adds vectors, or replaces those of the same chunks. `folders` has the folder of each row. */
  put(ids: Uint8Array, folders: readonly string[], vectorAt: (row: number) => Float32Array): void {
    this.remove(new UuidSet(ids));
    for (const [row, folder] of folders.entries()) {
      const { values, step } = quantize(vectorAt(row));
      this.step = Math.max(this.step, step);
      this.segmentOf(folder).append(uuidAt(ids, row), values);
    }
  }

  remove(ids: UuidSet): void {
    for (const segment of this.segments.values()) segment.remove(ids);
  }

  clear(): void {
    for (const segment of this.segments.values()) segment.clear();
  }

  /**
   * The best `wanted` rows and those that may be as good, which the true vectors must decide. Every other row scores
   * below `reach`.
   */
  scan(query: Float32Array, wanted: number, choice: FolderChoice): Scanned {
    const { values, step } = quantize(query);
    const readMax = wanted * READ_AHEAD;
    const segments = this.chosen(choice);
    const hits = segments
      .flatMap((segment) => nearest(segment, values, readMax))
      .sort((a, b) => a.distance - b.distance);
    const total = segments.reduce((sum, { count }) => sum + count, 0);
    if (total <= readMax) return { ids: joined(hits), reach: null };
    const error = cosineError(this.step, step);
    const read = hits.slice(0, readMax);
    const far = read.findIndex(({ distance }, i) => i >= wanted && distance > read[wanted - 1]!.distance + 2 * error);
    const kept = far === -1 ? read : read.slice(0, far);
    const next = far === -1 ? read.at(-1)! : read[far]!;
    return { ids: joined(kept), reach: 1 - next.distance + error };
  }

  private chosen({ only, except }: FolderChoice): VectorSegment[] {
    const folders = only ?? [...this.segments.keys()];
    const hidden = new Set(except);
    return folders.flatMap((folder) => {
      const segment = this.segments.get(folder);
      return segment && segment.count > 0 && !hidden.has(folder) ? [segment] : [];
    });
  }

  private segmentOf(folder: string): VectorSegment {
    const segment = this.segments.get(folder) ?? new VectorSegment(this.dims);
    this.segments.set(folder, segment);
    return segment;
  }
}

const nearest = (segment: VectorSegment, query: Int8Array, limit: number): Hit[] => {
  const { count, rows } = segment;
  const found = usearch.exactSearch(rows, query, query.length, Math.min(limit, count), usearch.MetricKind.Cos, 1);
  return Array.from(found.distances, (distance, i) => ({ distance, id: segment.idAt(Number(found.keys[i])) }));
};

const joined = (hits: readonly Hit[]): Uint8Array => {
  const ids = new Uint8Array(hits.length * UUID_BYTES);
  for (const [i, { id }] of hits.entries()) ids.set(id, i * UUID_BYTES);
  return ids;
};
