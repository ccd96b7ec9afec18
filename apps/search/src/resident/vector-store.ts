import type {
  AnswerTo,
  ChangeJob,
  ForgetJob,
  Held,
  PutJob,
  ResidentJob,
  ScanAnswer,
  ScanJob,
} from './resident-protocol.js';
import { uuidAt, UuidSet, UUID_BYTES } from './uuid-bytes.js';
import { VectorBlock } from './vector-block.js';

/** Before the numbers of a vector in the binary form of the database: dimensions and a reserved word. */
const HEADER_BYTES = 4;

/** All vectors in memory, in blocks by workspace and model. Its own thread runs it, so a long scan delays nothing else. */
export class VectorStore {
  private readonly blocks = new Map<string, VectorBlock>();

  /** Sums up what is held after a change only: a scan changes nothing, and searches wait for it. */
  do(job: ResidentJob): AnswerTo<ResidentJob> {
    if (job.kind === 'scan') return this.scan(job);
    this.change(job);
    const blockBytes = 'block' in job ? (this.blocks.get(job.block)?.bytes ?? 0) : 0;
    return { held: this.held, blockBytes };
  }

  private get held(): Held {
    const blocks = [...this.blocks.values()];
    const sum = (of: (block: VectorBlock) => number) => blocks.reduce((total, block) => total + of(block), 0);
    return { rows: sum(({ rows }) => rows), bytes: sum(({ bytes }) => bytes) };
  }

  private change(job: ChangeJob): void {
    switch (job.kind) {
      case 'put':
        return this.put(job);
      case 'forget':
        return this.forget(job);
      case 'drop':
        this.blocks.get(job.block)?.clear();
        this.blocks.delete(job.block);
    }
  }

  private put({ block: name, dims, ids, folders, vectors, forgotten }: PutJob): void {
    const block = this.blocks.get(name) ?? new VectorBlock(dims);
    this.blocks.set(name, block);
    const gone = new UuidSet(forgotten);
    const kept = [...folders.keys()].filter((row) => !gone.hasRow(ids, row));
    const keptIds = new Uint8Array(kept.length * UUID_BYTES);
    for (const [i, row] of kept.entries()) keptIds.set(uuidAt(ids, row), i * UUID_BYTES);
    block.put(
      keptIds,
      kept.map((row) => folders[row]!),
      (i) => vectorAt(vectors, dims, kept[i]!),
    );
  }

  private scan({ block, query, wanted, only, except }: ScanJob): ScanAnswer {
    const scanned = this.blocks.get(block)?.scan(query, wanted, { only, except });
    return scanned ? { scanned } : {};
  }

  private forget({ ids }: ForgetJob): void {
    const gone = new UuidSet(ids);
    for (const block of this.blocks.values()) block.remove(gone);
  }
}

const vectorAt = (vectors: Uint8Array, dims: number, row: number): Float32Array => {
  const start = vectors.byteOffset + row * (HEADER_BYTES + dims * 4) + HEADER_BYTES;
  const numbers = new DataView(vectors.buffer, start, dims * 4);
  return Float32Array.from({ length: dims }, (_, i) => numbers.getFloat32(i * 4));
};
