import { CLIENT_TOKEN_LIFE_MS, fail, type ClientTokenUse, type Principal } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import { clientTokenKey, type CommandState, type WorkspaceState } from './state.js';

/** What tells a command from another one: its id, what it asks for, and a name that the agent gave it for a while. */
export interface NamedCommand {
  readonly id: string;
  /** The key that the caller sent. Earlier builds used it as the id. */
  readonly sentAs?: string | undefined;
  readonly principal: Pick<Principal, 'tokenId' | 'agentId'>;
  readonly payloadHash: string;
  readonly clientToken?: ClientTokenUse | undefined;
}

/** One refusal for other content, for what is forgotten and for what the caller may not see: it tells none from another. */
export const keyReused = (clientToken?: ClientTokenUse): AppError => {
  const [field, used] = clientToken
    ? ['clientToken', 'clientToken was used within the last 60 seconds']
    : ['Idempotency-Key', 'this Idempotency-Key was used'];
  return fail('idempotency.key_reused', `${used} for another request, or its result is not available any more`, {
    field,
  });
};

/** What the caller's key stands for. A key that an earlier build used as an id counts for the token that sent it only. */
const underKey = ({ commands }: WorkspaceState, { id, sentAs, principal }: NamedCommand): CommandState | undefined => {
  const earlier = commands.get(id);
  if (earlier || sentAs === undefined) return earlier;
  const before = commands.get(sentAs);
  return before?.tokenId === principal.tokenId ? before : undefined;
};

/** Forever, and for the token that sent it. */
const sameId = (state: WorkspaceState, command: NamedCommand): CommandState | undefined => {
  const { principal, payloadHash } = command;
  const earlier = underKey(state, command);
  if (!earlier || (earlier.tokenId === principal.tokenId && earlier.payloadHash === payloadHash)) return earlier;
  throw keyReused();
};

/** For a minute from its first call, and for the agent, with whichever of its tokens it comes. */
const sameClientToken = (
  state: WorkspaceState,
  { principal, payloadHash, clientToken }: NamedCommand,
  atMs: number,
): CommandState | undefined => {
  if (!clientToken) return undefined;
  const used = state.clientTokens.get(clientTokenKey(principal.agentId, clientToken));
  if (!used || atMs - used.atMs >= CLIENT_TOKEN_LIFE_MS) return undefined;
  if (used.command.payloadHash === payloadHash) return used.command;
  // What is forgotten has no hash any more: a late repeat must not bring it back.
  throw keyReused(clientToken);
};

/** The command that this one repeats, if any: it is answered like the first time. Another one under a used name is refused. */
export const earlierCommand = (state: WorkspaceState, command: NamedCommand, atMs: number): CommandState | undefined =>
  sameId(state, command) ?? sameClientToken(state, command, atMs);
