import { AccountSecrets, keepingUnknown, ObservedFindings, ServerSecrets, WaitingText } from '@cairn/contracts';
import type { z } from 'zod';
import { fieldAad, open, seal } from './cipher.js';

/** Seals a JSON value of one kind of event under the key of its owner: an account, a server, a chunk, a waiting text. */
const jsonCipher = <T>(eventType: string, version: number, schema: z.ZodType<T>) => ({
  seal: (key: Uint8Array, workspaceId: string, ownerId: string, value: T): Buffer =>
    seal(key, fieldAad(workspaceId, ownerId, eventType, version), Buffer.from(JSON.stringify(value))),
  open: (key: Uint8Array, workspaceId: string, ownerId: string, sealed: Uint8Array): T =>
    keepingUnknown(schema).parse(
      JSON.parse(open(key, fieldAad(workspaceId, ownerId, eventType, version), sealed).toString()),
    ),
});

/** Label, settings and credential of an account. */
export const { seal: sealAccount, open: openAccount } = jsonCipher('connector.connected', 1, AccountSecrets);

/** Address and credential of an external server. */
export const { seal: sealServerSecrets, open: openServerSecrets } = jsonCipher('server.registered', 1, ServerSecrets);

/** A text that waits for a decision. */
export const { seal: sealWaitingText, open: openWaitingText } = jsonCipher('confirmation.requested', 1, WaitingText);

/** Names and edges that were stated about a chunk. */
export const { seal: sealFindings, open: openFindings } = jsonCipher('edge.observed', 1, ObservedFindings);
