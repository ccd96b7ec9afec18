import { setTimeout as delay } from 'node:timers/promises';
import { notFound } from '@cairn/access';
import {
  CORRECTION_LIFE_MS,
  CORRECTION_VECTOR_WAIT_MS,
  type CommandData,
  type CommandResult,
  type Principal,
} from '@cairn/contracts';
import { givenText, type CorrectionProposer, type CorrectionRequest } from '@cairn/correction';
import { countTokens } from '@cairn/domain';
import { AppError, type Clock, type IdGenerator } from '@cairn/kernel';
import type { ParsedRequest } from '@cairn/messaging';
import { keyedHash, sealText, type Vault } from '@cairn/vault';
import type { Pool } from 'pg';
import { appliedCorrection, type AppliedCorrection } from './applied-correction.js';
import { hasVector, maySeeChunk, readChunk } from './chunk-reader.js';
import type { CorrectionStore } from './correction-store.js';

export interface CorrectionsOptions {
  readonly pool: Pool;
  readonly vault: Vault;
  readonly proposer: CorrectionProposer;
  readonly store: CorrectionStore;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  /** Ends every wait: the wait for a model with an error, the wait for a vector without one. */
  readonly stopping: AbortSignal;
}

type Propose = ParsedRequest<CommandData<'chunk.propose'>>;
type Correct = ParsedRequest<CommandData<'chunk.correct'>>;

const noSuchChunk = (): AppError => notFound('chunk', { field: 'chunkId' });
const noSuchCorrection = (): AppError => notFound('correction', { field: 'correctionId' });

const POLL_FIRST_MS = 10;
const POLL_MAX_MS = 100;

/**
 * Proposals, and the work of an apply around its append. Nothing here blocks the commands of a workspace: a model may
 * take half a minute, and a vector may take a while.
 */
export class Corrections {
  constructor(private readonly options: CorrectionsOptions) {}

  async propose({ principal, data }: Propose): Promise<CommandResult<'chunk.propose'>> {
    const { pool, vault, store, clock, ids } = this.options;
    const { chunkId, instruction, newText } = data;
    const { workspaceId, agentId } = principal;
    const chunk = await readChunk(pool, vault, principal, chunkId);
    if (!chunk) throw noSuchChunk();
    const { text: originalText, key, itemId } = chunk;
    const proposedText =
      newText === undefined
        ? await this.thoughtOut(principal, chunkId, { text: originalText, instruction })
        : givenText(originalText, newText);
    const correctionId = ids.next();
    const expiresAtMs = clock.now() + CORRECTION_LIFE_MS;
    await store.put(workspaceId, {
      correctionId,
      chunkId,
      itemId,
      agentId,
      expiresAtMs,
      baseTextHash: chunk.textHash,
      text: sealText(key, workspaceId, chunkId, proposedText).toString('base64'),
      textHash: keyedHash(key, proposedText),
      tokens: countTokens(proposedText),
    });
    return { correctionId, chunkId, originalText, proposedText, expiresAt: new Date(expiresAtMs).toISOString() };
  }

  /** A model may take half a minute, so a chunk that was forgotten meanwhile is not shown. */
  private async thoughtOut(principal: Principal, chunkId: string, request: CorrectionRequest): Promise<string> {
    const { pool, vault, proposer } = this.options;
    const proposed = await proposer.propose({ ...request, signal: this.options.stopping });
    if (!(await readChunk(pool, vault, principal, chunkId))) throw noSuchChunk();
    return proposed;
  }

  /** `append` decides and appends; it is not called if the correction is already in the log. */
  async apply(request: Correct, append: () => Promise<AppliedCorrection>): Promise<CommandResult<'chunk.correct'>> {
    const applied =
      (await this.earlier(request)) ?? (await append().catch((thrown) => this.otherwise(request, thrown)));
    // A correction of something forgotten is forgotten too, and another token of the agent may see less.
    if (!(await maySeeChunk(this.options.pool, request.principal, applied.chunkId))) throw noSuchCorrection();
    return { ...applied, isEmbedded: await this.isEmbedded(applied.chunkId) };
  }

  private earlier({ principal, data }: Correct): Promise<AppliedCorrection | undefined> {
    return appliedCorrection(this.options.pool, principal, data.correctionId);
  }

  /** Another request has applied it at the same moment: by another token of the same agent, or by another agent. */
  private async otherwise(request: Correct, thrown: unknown): Promise<AppliedCorrection> {
    const isTaken = thrown instanceof AppError && thrown.code === 'idempotency.key_reused';
    if (!isTaken || thrown.details['field'] === 'clientToken') throw thrown;
    const applied = await this.earlier(request);
    if (applied) return applied;
    throw noSuchCorrection();
  }

  /** Another service computes the vector; usually that is quick, and the wait for it is short. */
  private async isEmbedded(chunkId: string): Promise<boolean> {
    const deadline = performance.now() + CORRECTION_VECTOR_WAIT_MS;
    for (let pollMs = POLL_FIRST_MS; ; pollMs = Math.min(2 * pollMs, POLL_MAX_MS)) {
      const found = await hasVector(this.options.pool, chunkId);
      if (found !== false) return found === true;
      if (performance.now() >= deadline || this.options.stopping.aborted) return false;
      await delay(pollMs);
    }
  }
}
