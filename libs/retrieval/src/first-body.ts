import type { FirstBody } from '@cairn/ranking';
import { openText } from '@cairn/vault';
import type { KeyOpener } from './winners.js';

export const firstTextOf = (
  vault: KeyOpener,
  workspaceId: string,
  { first_id: id, first_text: text, first_key: key }: FirstBody,
): string | undefined =>
  id === null ? undefined : openText(vault.unwrap(workspaceId, id, key!), workspaceId, id, text!);
