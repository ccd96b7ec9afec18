import { CLIENT_TOKEN_LIFE_MS, fail, type ClientTokenUse, type Principal } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import { clientTokenKey, type CommandState, type WorkspaceState } from './state.js';

/** The identity of a command: its id, its content, and a temporary name that the agent gave it. */
export interface NamedCommand {
  readonly id: string;
  /** The key that the caller sent. Earlier builds used it as the id. */
  readonly sentAs?: string | undefined;
  readonly principal: Pick<Principal, 'tokenId' | 'agentId'>;
  readonly payloadHash: string;
  readonly clientToken?: ClientTokenUse | undefined;
}

/**
 * The same refusal for other content, for forgotten content and for content that the caller may not see, so that it
 * does not distinguish between them.
 */
export const keyReused = (clientToken?: ClientTokenUse): AppError => {
  const [field, used] = clientToken
    ? ['clientToken', 'clientToken was used within the last 60 seconds']
    : ['Idempotency-Key', 'this Idempotency-Key was used'];
  return fail('idempotency.key_reused', `${used} for another request, or its result is not available any more`, {
    field,
  });
};

/**
 * The command that the caller's key identifies. A key that an earlier build used as an id is valid only for the token
 * that sent it.
 */
const underKey = ({ commands }: WorkspaceState, { id, sentAs, principal }: NamedCommand): CommandState | undefined => {
  const earlier = commands.get(id);
  if (earlier || sentAs === undefined) return earlier;
  const before = commands.get(sentAs);
  return before?.tokenId === principal.tokenId ? before : undefined;
};

/** Valid forever, for the token that sent it. */
const sameId = (state: WorkspaceState, command: NamedCommand): CommandState | undefined => {
  const { principal, payloadHash } = command;
  const earlier = underKey(state, command);
  if (!earlier || (earlier.tokenId === principal.tokenId && earlier.payloadHash === payloadHash)) return earlier;
  throw keyReused();
};

/** Valid for a minute from its first call, for all tokens of the agent. */
const sameClientToken = (
  state: WorkspaceState,
  { principal, payloadHash, clientToken }: NamedCommand,
  atMs: number,
): CommandState | undefined => {
  if (!clientToken) return undefined;
  const used = state.clientTokens.get(clientTokenKey(principal.agentId, clientToken));
  if (!used || atMs - used.atMs >= CLIENT_TOKEN_LIFE_MS) return undefined;
  if (used.command.payloadHash === payloadHash) return used.command;
  // A forgotten item has no hash any more: a late repeat must not store it again.
  throw keyReused(clientToken);
};

/**
 * The command that this one repeats, if any; it gets the same answer. A different command under a used name is refused.
 */
export const earlierCommand = (state: WorkspaceState, command: NamedCommand, atMs: number): CommandState | undefined =>
  sameId(state, command) ?? sameClientToken(state, command, atMs);
