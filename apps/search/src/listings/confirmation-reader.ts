import {
  CONFIRMATION_PREVIEW_CHARS,
  ConfirmationView,
  firstChars,
  type Page,
  type Principal,
  type QueryData,
} from '@cairn/contracts';
import { systemClock, type Clock } from '@cairn/kernel';
import { columnsOf, fieldNames, readRows, viewOf, type RowOf } from '@cairn/persistence';
import type { KeyOpener } from '@cairn/retrieval';
import { openWaitingText } from '@cairn/vault';
import type { Pool } from 'pg';
import { pageOf, POSITION_KEY, readCursor } from '../cursor.js';

/** The unsealed columns of a confirmation; the rest is sealed. */
const Shown = ConfirmationView.pick({
  id: true,
  agentId: true,
  reason: true,
  kind: true,
  createdAt: true,
  expiresAt: true,
});

interface ConfirmationRow extends RowOf<typeof Shown> {
  readonly id: string;
  readonly sealed: Buffer;
  readonly wrappedKey: Buffer;
  readonly restorableUntil: Date | null;
  readonly position: string;
}

const COLUMNS = columnsOf('c', [...fieldNames(Shown), 'sealed', 'wrappedKey', 'restorableUntil', 'position']);

/** An expired confirmation is not shown, even before the log records its expiry. */
const LIST_OPEN = `
select ${COLUMNS}
  from library.confirmations c
  where workspace_id = $1
    and resolved_position is null
    and wrapped_key is not null
    and least(expires_at, restorable_until) > $2
    and ($3::bigint is null or position < $3)
    and (restorable_until is not null) = $5
  order by position desc
  limit $4`;

/** Memories that wait for a person's decision, and discarded ones that can be restored. */
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
    const key = this.vault.unwrap(workspaceId, row.id, row.wrappedKey);
    const { suggestedName, candidates, label, text } = openWaitingText(key, workspaceId, row.id, row.sealed);
    return {
      ...viewOf(Shown, row),
      suggestedName,
      candidates,
      label,
      preview: firstChars(text, CONFIRMATION_PREVIEW_CHARS),
      ...(row.restorableUntil && { restorableUntil: row.restorableUntil.toISOString() }),
    };
  }
}
