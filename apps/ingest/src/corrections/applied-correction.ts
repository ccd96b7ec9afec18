import type { Principal } from '@cairn/contracts';
import { readRows } from '@cairn/persistence';
import type { Pool } from 'pg';
import { correctionCommandId } from '../commands/command-id.js';

/** The answer of `apply` for a correction that is in the log. */
export interface AppliedCorrection {
  readonly chunkId: string;
  readonly opId: string;
  readonly position: number;
}

const APPLIED = `
select c.entity_id as chunk, o.op_id, c.position, convert_from(o.body, 'UTF8')::jsonb -> 'actor' ->> 'agentId' as agent
  from library.commands c
  join archive.ops o on o.position = c.position
  where c.workspace_id = $1 and c.id = any ($2::uuid[]) and c.type = 'chunk.corrected'`;

interface AppliedRow {
  readonly chunk: string;
  readonly op_id: string;
  readonly position: string;
  readonly agent: string;
}

/** The same answer forever, for the agent that has applied it. Earlier builds used the correction's id for the command. */
export const appliedCorrection = async (
  pool: Pool,
  { workspaceId, agentId }: Principal,
  correctionId: string,
): Promise<AppliedCorrection | undefined> => {
  const commandIds = [correctionCommandId(correctionId), correctionId];
  const [row] = await readRows<AppliedRow & Record<string, unknown>>(pool, APPLIED, [workspaceId, commandIds]);
  if (row?.agent !== agentId) return undefined;
  return { chunkId: row.chunk, opId: row.op_id, position: Number(row.position) };
};
