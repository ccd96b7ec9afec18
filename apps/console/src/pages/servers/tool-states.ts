import type { Server, ServerTool } from '../../api/answers.js';
import { plural } from '../../ui/format.js';

type Tool = Server['tools'][number];

/** Tools that a person has to approve before agents are offered them. */
export const toApprove = <T extends Pick<Tool, 'state'>>(tools: readonly T[]): readonly T[] =>
  tools.filter(({ state }) => state !== 'listed');

/** Approves the definitions that the person has read, even if the server has changed them since. */
export const approvalOf = (tools: readonly Pick<ServerTool, 'name' | 'hash'>[]) => ({
  tools: tools.map(({ name }) => name),
  hashes: tools.map(({ hash }) => hash),
});

/** "3 tools offered, 1 withheld": states without tools are left out. */
export const toolSummary = (tools: readonly Tool[]): string => {
  if (tools.length === 0) return 'no tools known';
  const count = (state: Tool['state']): number => tools.filter((tool) => tool.state === state).length;
  const [withheld, waiting] = [count('withheld'), count('waiting')];
  return [
    `${plural(count('listed'), 'tool')} offered`,
    ...(withheld > 0 ? [`${withheld} withheld`] : []),
    ...(waiting > 0 ? [`${waiting} waiting for approval`] : []),
  ].join(', ');
};
