import { z } from 'zod';
import { Id, placed, Time, type Wire } from './answer.js';
import { ConfirmRule } from './connector-words.js';
import { Retention } from './graph-words.js';
import { CONNECTOR_ID_CHARS_MAX, MESH_TEXT_TOKENS_MAX, MESH_TOKEN_CHARS_MAX, SYNC_ENTRIES_MAX } from './limits.js';
import { defineQuery } from './query-definition.js';
import { externalState } from './sync-commands.js';
import { AgentId, Uuid } from './text.js';

/** Which documents of an account are stored in the source's current state. Answered only for the gateway. */
export const FindKnownDocuments = defineQuery(
  'account.known',
  z.strictObject({
    accountId: Uuid,
    documents: z.array(z.strictObject(externalState)).max(SYNC_ENTRIES_MAX),
  }),
  z.object({ refs: z.array(z.string()), position: z.int() }),
);

const meshAddress = { connectorId: z.string().max(CONNECTOR_ID_CHARS_MAX), accountId: Uuid, itemId: Uuid };

const LocatedText = z.object({
  ...placed,
  itemId: Id,
  title: z.string(),
  inKb: z.boolean(),
  retention: Retention,
  /** The stored text, if the item holds all of it. */
  text: z.string().nullable(),
  /** The source's own name for the document; null if nothing can be fetched. */
  ref: z.string().nullable(),
  /** Null once the account is disconnected. */
  account: z.object({ hydrate: z.boolean(), confirm: ConfirmRule, batchTokensMax: z.int() }).nullable(),
  /** The state of the confirmation token; `none` if none was sent. */
  confirmation: z.enum(['none', 'valid', 'invalid']),
  /** For a valid confirmation: the nonce that counts its uses, and the tokens that it allows. */
  nonce: z.string().nullable(),
  maxTokens: z.int().nullable(),
  /** Tokens that the workspace may fetch in a day; null means no limit. */
  dailyTokensMax: z.int().nullable(),
});
export type LocatedText = Wire<typeof LocatedText>;

/** Where the text of an item is, and every value that decides whether it may be fetched. */
export const LocateText = defineQuery(
  'mesh.locate',
  z.strictObject({ ...meshAddress, token: z.string().max(MESH_TOKEN_CHARS_MAX).optional() }),
  LocatedText,
);

/** A person confirms one fetch: returns the confirmation token. Nothing is stored. */
export const ConfirmFetch = defineQuery(
  'mesh.confirm',
  z.strictObject({
    ...meshAddress,
    agentId: AgentId.optional(),
    maxTokens: z.int().min(1).max(MESH_TEXT_TOKENS_MAX).optional(),
  }),
  z.object({ token: z.string(), expiresAt: Time }),
);
