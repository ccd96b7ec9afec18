import { createHash } from 'node:crypto';
import type { StoredLink } from '@cairn/contracts';
import { uuidV8 } from '@cairn/kernel';

/** The id of a link: the same for the same pair and type, so it is known before any lookup (ADR 0084). */
export const linkId = (
  workspaceId: string,
  { fromItemId, toItemId, type }: Pick<StoredLink, 'fromItemId' | 'toItemId' | 'type'>,
): string =>
  uuidV8(
    createHash('sha256')
      .update(JSON.stringify(['link', workspaceId, fromItemId, toItemId, type]))
      .digest('hex'),
  );
