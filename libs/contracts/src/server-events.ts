import { z } from 'zod';
import { defineEvent, Sealed } from './event-definition.js';
import { ServerApproval, ServerTransport, ToolPin } from './external-server.js';
import { Uuid } from './text.js';

const fields = {
  name: z.string(),
  transport: ServerTransport,
  enabled: z.boolean(),
  approval: ServerApproval,
  /** The approved definitions. */
  tools: z.array(ToolPin),
  /** `ServerSecrets` under the server's own key. */
  sealed: Sealed,
};

export const ServerRegistered = defineEvent(
  'server.registered',
  1,
  'server_register',
  z.strictObject({ serverId: Uuid, ...fields }),
);

/** Only the changed fields. */
export const ServerConfigured = defineEvent(
  'server.configured',
  1,
  'server_config',
  z.strictObject({
    serverId: Uuid,
    name: fields.name.optional(),
    transport: fields.transport.optional(),
    enabled: fields.enabled.optional(),
    approval: fields.approval.optional(),
    tools: fields.tools.optional(),
    sealed: fields.sealed.optional(),
  }),
);

/** The server's key is destroyed: its address and credential can no longer be read, not even in the log. */
export const ServerRemoved = defineEvent('server.removed', 1, 'server_remove', z.strictObject({ serverId: Uuid }));
