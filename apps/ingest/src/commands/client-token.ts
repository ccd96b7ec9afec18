import type { ClientTokenUse, CommandData, LoggedCommandType } from '@cairn/contracts';

type Tokened = { [T in LoggedCommandType]: 'clientToken' extends keyof CommandData<T> ? T : never }[LoggedCommandType];

/** A client token counts within one tool, so that two tools may use the same one. Both ways to forget are one tool. */
const TOOLS: Readonly<Record<Tokened, string>> = {
  'item.store': 'store_knowledge',
  'item.remember': 'remember',
  'chunk.correct': 'apply',
  'item.forget': 'forget',
  'chunk.forget': 'forget',
};

const takesToken = (type: LoggedCommandType): type is Tokened => Object.hasOwn(TOOLS, type);

export const clientTokenOf = (
  type: LoggedCommandType,
  data: { clientToken?: string | undefined },
): ClientTokenUse | undefined =>
  takesToken(type) && data.clientToken !== undefined ? { tool: TOOLS[type], token: data.clientToken } : undefined;
