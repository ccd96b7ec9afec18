import {
  CONFIRMATION_PREVIEW_CHARS,
  firstChars,
  type ConfirmationReason,
  type ConfirmationView,
  type MemoryKind,
  type Page,
  type Principal,
  type QueryData,
} from '@cairn/contracts';
import { systemClock, type Clock } from '@cairn/kernel';
import { readRows } from '@cairn/persistence';
import type { KeyOpener } from '@cairn/retrieval';
import { openWaitingText } from '@cairn/vault';
import type { Pool } from 'pg';
import { pageOf, POSITION_KEY, readCursor } from '../cursor.js';

interface ConfirmationRow {
  readonly id: string;
  readonly agent_id: string;
  readonly reason: ConfirmationReason;
  readonly kind: MemoryKind;
  readonly sealed: Buffer;
  readonly wrapped_key: Buffer;
  readonly expires_at: Date;
  readonly restorable_until: Date | null;
  readonly created_at: Date;
  readonly position: string;
}

/** One whose time is over is not shown, whether that stands in the log already or not. */
const LIST_OPEN = `
select id, agent_id, reason, kind, sealed, wrapped_key, expires_at, restorable_until, created_at, position
  from library.confirmations
  where workspace_id = $1
    and resolved_position is null
    and wrapped_key is not null
    and least(expires_at, restorable_until) > $2
    and ($3::bigint is null or position < $3)
    and (restorable_until is not null) = $5
  order by position desc
  limit $4`;

/** What waits for a person's decision, and what a person has discarded and may restore. */
export class ConfirmationReader {
  constructor(
    private readonly pool: Pool,
    private readonly vault: KeyOpener,
    private readonly clock: Clock = systemClock,
  ) {}

  async list(
    { workspaceId }: Principal,
    { limit, cursor, status }: QueryData<'confirmations.list'>,
  ): Promise<Page<ConfirmationView>> {
    const before = readCursor(cursor, POSITION_KEY);
    const values = [workspaceId, new Date(this.clock.now()), before, limit + 1, status === 'discarded'];
    const rows = await readRows<ConfirmationRow>(this.pool, LIST_OPEN, values);
    return pageOf(
      rows,
      limit,
      ({ position }) => position,
      (row) => this.view(workspaceId, row),
    );
  }

  private view(workspaceId: string, row: ConfirmationRow): ConfirmationView {
    const key = this.vault.unwrap(workspaceId, row.id, row.wrapped_key);
    const { suggestedName, candidates, label, text } = openWaitingText(key, workspaceId, row.id, row.sealed);
    return {
      id: row.id,
      suggestedName,
      reason: row.reason,
      candidates,
      label,
      preview: firstChars(text, CONFIRMATION_PREVIEW_CHARS),
      kind: row.kind,
      agentId: row.agent_id,
      createdAt: row.created_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      ...(row.restorable_until && { restorableUntil: row.restorable_until.toISOString() }),
    };
  }
}
