import { z } from 'zod';
import { defineEvent, Sealed } from './event-definition.js';
import { ServerApproval, ServerTransport, ToolPin } from './external-server.js';
import { Uuid } from './text.js';

const fields = {
  name: z.string(),
  transport: ServerTransport,
  enabled: z.boolean(),
  approval: ServerApproval,
  /** The definitions that are approved. */
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

/** Only what has changed. */
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

/** Its key is destroyed: no address and no credential of it can be read any more, not even in the log. */
export const ServerRemoved = defineEvent('server.removed', 1, 'server_remove', z.strictObject({ serverId: Uuid }));
