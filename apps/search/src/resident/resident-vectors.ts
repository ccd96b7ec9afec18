import { setTimeout as delay } from 'node:timers/promises';
import { listsFolder, seesTier, type FolderReader } from '@cairn/access';
import { fail, residentBytes } from '@cairn/contracts';
import type { Logger } from '@cairn/observability';
import { uuidArray } from '@cairn/persistence';
import type { Proposal, ProposalUse, VectorCandidates, Wanted } from '@cairn/retrieval';
import type { Pool } from 'pg';
import { BlockLoader, type BlockOf } from './block-loader.js';
import { blockKey, ResidentBlock } from './resident-block.js';
import type { ChangeAnswer, DropJob, FolderChoice, ForgetJob, Held, PutJob, Scanned } from './resident-protocol.js';
import { uuidAt, uuidBytes, UUID_BYTES } from './uuid-bytes.js';
import { VectorsWorker } from './vectors-worker.js';

/** The first searches of a workspace wait this long for its vectors, then the database answers them alone. */
const LOAD_WAIT_MS = 200;
/** A block that is this far behind the database follows it at once; one that is closer, after a while. */
const BEHIND_MAX = 256;
const FOLLOW_AGAIN_MS = 5_000;
/** A workspace that could not be loaded, or does not fit, is tried again after this time. */
const RETRY_MS = 5_000;
const MIB = 1024 * 1024;

export interface ResidentOptions {
  readonly pool: Pool;
  readonly budgetMb: number;
  readonly logger: Pick<Logger, 'warn'>;
  /** Receives how much is held after every change. */
  readonly onHeld?: (held: Held) => void;
  /** Receives how many workspaces exceed the budget after every change. */
  readonly onOversized?: (workspaces: number) => void;
  readonly nowMs?: () => number;
  readonly threadFile?: string;
}

/** Why the database answers alone for a while. */
interface Refusal {
  readonly workspaceId: string;
  readonly isOversized: boolean;
  readonly untilMs: number;
}

/**
 * Finds the nearest chunks in memory: a block per workspace and model, loaded by its first search and dropped when others
 * need the room. A block may lag behind the database, which adds what is missing. Without a block, the database answers
 * alone.
 */
export class ResidentVectors implements VectorCandidates {
  /** The least recently used first. */
  private readonly blocks = new Map<string, ResidentBlock>();
  private readonly refused = new Map<string, Refusal>();
  private readonly worker: VectorsWorker;
  private readonly loader: BlockLoader;
  private readonly nowMs: () => number;

  constructor(private readonly options: ResidentOptions) {
    this.nowMs = options.nowMs ?? (() => performance.now());
    this.loader = new BlockLoader(options.pool);
    this.worker = new VectorsWorker({
      ...(options.threadFile !== undefined && { threadFile: options.threadFile }),
      onLost: (cause) => {
        this.blocks.clear();
        options.onHeld?.({ rows: 0, bytes: 0 });
        options.logger.warn({ err: cause }, 'the vectors in memory are lost; they are loaded again');
      },
    });
  }

  get budgetMb(): number {
    return this.options.budgetMb;
  }

  /** Those that were searched since the start; one that fits again is found out by its next search. */
  get oversizedWorkspaces(): number {
    const oversized = [...this.refused.values()].filter(({ isOversized }) => isOversized);
    return new Set(oversized.map(({ workspaceId }) => workspaceId)).size;
  }

  async propose(wanted: Wanted): Promise<Proposal | undefined> {
    const { query, reader, limit } = wanted;
    const block = this.blockOf({ workspaceId: reader.workspaceId, model: query.model, dims: query.vector.length });
    if (!block || !(await this.isLoaded(block))) return undefined;
    const { reached } = block;
    const choice = choiceOf(reader, block);
    const job = {
      kind: 'scan',
      block: block.name,
      query: query.vector,
      wanted: Math.ceil(limit * block.widen),
    } as const;
    const { scanned } = await this.worker.do({ ...job, ...choice }).catch(() => ({ scanned: undefined }));
    return scanned && this.proposal(block, reached, choice, scanned);
  }

  /** The bytes of these chunks are overwritten when it resolves. */
  async forget(chunkIds: readonly string[]): Promise<void> {
    for (const block of this.blocks.values()) block.forget(chunkIds);
    if (this.blocks.size > 0) await this.change({ kind: 'forget', ids: uuidBytes(chunkIds) });
  }

  /** Drops everything, for a process that may have missed a forgetting. */
  async dropAll(): Promise<void> {
    await Promise.all([...this.blocks.values()].map((block) => this.drop(block)));
  }

  close(): Promise<void> {
    this.blocks.clear();
    return this.worker.close();
  }

  private blockOf(of: BlockOf): ResidentBlock | undefined {
    const key = blockKey(of);
    if (this.options.budgetMb === 0 || this.nowMs() < (this.refused.get(key)?.untilMs ?? 0)) return undefined;
    const block = this.blocks.get(key) ?? this.newBlock(of);
    this.blocks.delete(key);
    this.blocks.set(key, block);
    return block;
  }

  private newBlock(of: BlockOf): ResidentBlock {
    const block: ResidentBlock = new ResidentBlock(of, { loader: this.loader, put: (job) => this.put(block, job) });
    return block;
  }

  private async isLoaded(block: ResidentBlock): Promise<boolean> {
    if (block.isLoaded) return true;
    block.loading ??= this.load(block);
    const timer = new AbortController();
    const waited = delay(LOAD_WAIT_MS, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([block.loading, waited]);
    timer.abort();
    return block.isLoaded;
  }

  /** Never fails: a block that cannot be loaded is dropped, and the database answers alone for a while. */
  private async load(block: ResidentBlock): Promise<void> {
    try {
      await this.assertFits(block);
      await block.follow(this.nowMs());
      this.refused.delete(block.key);
      this.options.onOversized?.(this.oversizedWorkspaces);
    } catch (thrown) {
      await this.refuse(block, thrown);
    }
  }

  /** A block that cannot follow stays usable: the database adds what it does not know. */
  private async followAgain(block: ResidentBlock, isBehind: boolean): Promise<void> {
    block.followedAtMs = this.nowMs();
    try {
      if (await this.loader.isOutdated(block.reached)) await this.drop(block);
      else if (isBehind) await block.follow(this.nowMs());
    } catch (thrown) {
      if (block.bytes > this.budgetBytes) await this.refuse(block, thrown);
      else this.options.logger.warn({ err: thrown }, 'vectors in memory could not follow the database');
    }
  }

  private async refuse(block: ResidentBlock, reason: unknown): Promise<void> {
    const isFirst = !this.refused.has(block.key);
    const { isOversized } = block;
    const { workspaceId } = block.of;
    this.refused.set(block.key, { workspaceId, isOversized, untilMs: this.nowMs() + RETRY_MS });
    this.options.onOversized?.(this.oversizedWorkspaces);
    if (isFirst)
      this.options.logger.warn(
        { err: reason, workspace: workspaceId },
        'vectors of a workspace are not held in memory',
      );
    await this.drop(block);
  }

  private async assertFits(block: ResidentBlock): Promise<void> {
    const { chunkCount } = await this.loader.folders(block.of);
    if (residentBytes(chunkCount, block.of.dims) > this.budgetBytes) throw this.tooLarge(block);
  }

  private get budgetBytes(): number {
    return this.options.budgetMb * MIB;
  }

  private tooLarge(block: ResidentBlock) {
    block.isOversized = true;
    return fail('service.unavailable', `its vectors exceed CAIRN_VECTORS_RESIDENT_MB (${this.options.budgetMb})`);
  }

  private async put(block: ResidentBlock, job: PutJob): Promise<void> {
    // Dropped meanwhile: a page that is added now would never be followed.
    if (this.blocks.get(block.key) !== block) throw fail('service.unavailable', 'its room was needed for another one');
    const answer = await this.worker.do(job);
    block.bytes = answer.blockBytes;
    this.report(answer);
    if (block.bytes > this.budgetBytes) throw this.tooLarge(block);
    await this.makeRoomFor(block, answer.held.bytes);
  }

  private async makeRoomFor(block: ResidentBlock, heldBytes: number): Promise<void> {
    let excess = heldBytes - this.budgetBytes;
    for (const other of [...this.blocks.values()]) {
      if (excess <= 0) return;
      if (other === block) continue;
      excess -= other.bytes;
      await this.drop(other);
    }
  }

  private async drop(block: ResidentBlock): Promise<void> {
    if (this.blocks.get(block.key) === block) this.blocks.delete(block.key);
    block.isLoaded = false;
    await this.change({ kind: 'drop', block: block.name });
  }

  /** A thread that has ended holds nothing, so there is nothing left to remove. */
  private async change(job: ForgetJob | DropJob): Promise<void> {
    await this.worker.do(job).then(
      (answer) => this.report(answer),
      () => undefined,
    );
  }

  private report({ held }: ChangeAnswer): void {
    this.options.onHeld?.(held);
  }

  private proposal(
    block: ResidentBlock,
    { seq, position }: ResidentBlock['reached'],
    { except: unseenFolders }: FolderChoice,
    { ids, reach }: Scanned,
  ): Proposal {
    const chunkIds = uuidArray(Array.from({ length: ids.length / UUID_BYTES }, (_, row) => uuidAt(ids, row)));
    return { chunkIds, reach, seq, position, unseenFolders, onUsed: (use) => this.learn(block, use) };
  }

  private learn(block: ResidentBlock, { behind, wasShort }: ProposalUse): void {
    if (wasShort) block.wasShort();
    const isOld = this.nowMs() - block.followedAtMs > FOLLOW_AGAIN_MS;
    if (!block.isLoaded || block.isFollowing) return;
    if (behind > BEHIND_MAX || isOld) void this.followAgain(block, behind > 0 || wasShort);
  }
}

/** The folders on the reader's list, without those that are hidden from it. The database checks it again. */
const choiceOf = (reader: FolderReader, { tiers }: ResidentBlock): FolderChoice => ({
  only: reader.folderIds,
  except: [...tiers].flatMap(([id, tier]) => (listsFolder(reader, id) && !seesTier(reader, tier) ? [id] : [])),
});
