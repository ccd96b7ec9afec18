import { notFound, readerOf } from '@cairn/access';
import {
  CORRECTION_LIFE_MS,
  fail,
  systemPrincipal,
  type CommandData,
  type CommandResult,
  type CommandType,
  type DomainEvent,
  type Principal,
  type QueryAnswer,
  type QueryData,
  type QueryType,
} from '@cairn/contracts';
import { countTokens, DEFAULT_FOLDER, EMPTY_STATE, type SealedCorrection } from '@cairn/domain';
import { isoTime, systemClock, uuidV7, type Clock } from '@cairn/kernel';
import type { QueryContext } from './cairn-answer.fake.js';
import { PREPARE } from './cairn-commands.fake.js';
import type { CommandRequest } from './cairn-prepare.fake.js';
import { ANSWERS } from './cairn-queries.fake.js';
import { InMemoryWorkspace } from './cairn-workspace.fake.js';
import type { CairnPort } from './cairn.port.js';

/** An unscoped admin by default. */
export type Caller = Pick<Principal, 'workspaceId' | 'agentId'> & Partial<Principal>;

type FakedCommand = keyof typeof PREPARE;

const principalOf = (caller: Caller): Principal => ({
  ...systemPrincipal(caller.workspaceId),
  tokenId: caller.agentId,
  instanceAdmin: false,
  ...caller,
});

/**
 * Cairn without a server: the product's own deciders over state in memory, and queries over the same state. Search
 * compares words. `cairn.contract.ts` keeps it consistent with the product.
 */
export class InMemoryCairn {
  private readonly workspaces = new Map<string, InMemoryWorkspace>();
  private readonly corrections = new Map<string, SealedCorrection>();
  private readonly results = new Map<string, unknown>();
  private position = 0;

  constructor(private readonly clock: Clock = systemClock) {}

  as(caller: Caller): CairnPort {
    return {
      command: (type, data) => this.command(principalOf(caller), type, data),
      query: (type, data) => this.query(principalOf(caller), type, data),
    };
  }

  async command<T extends CommandType>(
    principal: Principal,
    type: T,
    data: CommandData<T>,
    id: string = uuidV7(),
  ): Promise<CommandResult<T>> {
    // A correction is applied once, whichever command applies it.
    const commandId = 'correctionId' in data ? data.correctionId : id;
    const result: unknown = await Promise.resolve(
      type === 'chunk.propose'
        ? this.propose(principal, data as CommandData<'chunk.propose'>)
        : this.carryOut(type as FakedCommand, { id: commandId, principal, data }),
    );
    return result as CommandResult<T>;
  }

  async query<T extends QueryType>(principal: Principal, type: T, data: QueryData<T>): Promise<QueryAnswer<T>> {
    const answer = ANSWERS[type] as ((context: QueryContext, data: QueryData<T>) => QueryAnswer<T>) | undefined;
    if (!answer) throw fail('internal.defect', `the in-memory Cairn does not answer ${type}`);
    const workspace = this.workspace(principal.workspaceId);
    const everyWorkspace = [...this.workspaces.values()];
    const context = { workspace, everyWorkspace, principal, nowMs: this.clock.now() };
    const result: unknown = await Promise.resolve(answer(context, data));
    return result as QueryAnswer<T>;
  }

  /** Appends events that no command makes, such as a token that has already expired. */
  given(workspaceId: string, ...events: readonly DomainEvent[]): void {
    this.append(this.workspace(workspaceId), events);
  }

  /** A workspace that a test names without creating it has a default folder. */
  private workspace(id: string): InMemoryWorkspace {
    const known = this.workspaces.get(id);
    if (known) return known;
    const workspace = new InMemoryWorkspace(id);
    const folder = { folderId: uuidV7(), ...DEFAULT_FOLDER, maxTokensPerRecall: null, readme: '', isDefault: true };
    workspace.apply({ type: 'folder.created', data: folder }, isoTime(this.clock));
    this.workspaces.set(id, workspace);
    return workspace;
  }

  private created({ workspaceId }: CommandData<'workspace.create'>): InMemoryWorkspace {
    const known = this.workspaces.get(workspaceId);
    if (known) return known;
    const workspace = new InMemoryWorkspace(workspaceId);
    const workspaceSlugs = new Set([...this.workspaces.values()].map(({ view }) => view.slug));
    workspace.state = { ...EMPTY_STATE, workspaceSlugs };
    return workspace;
  }

  /** A command under an id that the agent has already used gets the first answer again. */
  private carryOut(type: FakedCommand, { id, principal, data }: CommandRequest<unknown>): unknown {
    const workspace =
      type === 'workspace.create'
        ? this.created(data as CommandData<'workspace.create'>)
        : this.workspace(principal.workspaceId);
    const key = [workspace.id, principal.agentId, id].join();
    if (this.results.has(key)) return this.results.get(key);
    const request = { id, principal, data: data as never };
    const { decide, answer } = PREPARE[type](request, { workspace, corrections: this.corrections });
    const decision = decide(workspace.state, this.clock.now());
    this.append(workspace, decision.events);
    const result = answer(decision, this.position);
    this.results.set(key, result);
    return result;
  }

  private append(workspace: InMemoryWorkspace, events: readonly DomainEvent[]): void {
    this.workspaces.set(workspace.id, workspace);
    for (const event of events) {
      this.position++;
      workspace.apply(event, isoTime(this.clock), this.position);
    }
  }

  /** Uses the instruction as the new text if none is given. */
  private propose(principal: Principal, data: CommandData<'chunk.propose'>): CommandResult<'chunk.propose'> {
    const { chunkId, instruction, newText = instruction } = data;
    const visible = this.workspace(principal.workspaceId).visibleItems(readerOf(principal, 'mcp'));
    const item = visible.find(({ inKb, chunks }) => inKb && chunks?.some((chunk) => chunk.chunkId === chunkId));
    const chunk = item?.chunks?.find((one) => one.chunkId === chunkId);
    if (!item || !chunk) throw notFound('chunk', { field: 'chunkId' });
    const correctionId = uuidV7();
    const expiresAtMs = this.clock.now() + CORRECTION_LIFE_MS;
    this.corrections.set(correctionId, {
      correctionId,
      chunkId,
      itemId: item.id,
      agentId: principal.agentId,
      expiresAtMs,
      baseTextHash: chunk.textHash,
      text: newText,
      textHash: newText,
      tokens: countTokens(newText),
    });
    const expiresAt = new Date(expiresAtMs).toISOString();
    return { correctionId, chunkId, originalText: chunk.text, proposedText: newText, expiresAt };
  }
}
