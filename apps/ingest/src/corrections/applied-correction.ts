import type { Principal } from '@cairn/contracts';
import { readRows } from '@cairn/retrieval';
import type { Pool } from 'pg';

/** What `apply` answers of a correction that stands in the log. */
export interface AppliedCorrection {
  readonly chunkId: string;
  readonly opId: string;
  readonly position: number;
}

const APPLIED = `
select c.entity_id as chunk, o.op_id, c.position, convert_from(o.body, 'UTF8')::jsonb -> 'actor' ->> 'agentId' as agent
  from library.commands c
  join archive.ops o on o.position = c.position
  where c.workspace_id = $1 and c.id = $2 and c.type = 'chunk.corrected'`;

interface AppliedRow {
  readonly chunk: string;
  readonly op_id: string;
  readonly position: string;
  readonly agent: string;
}

/** The same answer for ever, for the agent that has applied it. */
export const appliedCorrection = async (
  pool: Pool,
  { workspaceId, agentId }: Principal,
  correctionId: string,
): Promise<AppliedCorrection | undefined> => {
  const [row] = await readRows<AppliedRow & Record<string, unknown>>(pool, APPLIED, [workspaceId, correctionId]);
  if (row?.agent !== agentId) return undefined;
  return { chunkId: row.chunk, opId: row.op_id, position: Number(row.position) };
};
