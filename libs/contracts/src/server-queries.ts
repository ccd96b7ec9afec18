import { z } from 'zod';
import { Id, type Wire } from './answer.js';
import { ServerApproval, ServerSecrets, ServerTransport, ToolPin } from './external-server.js';
import { defineQuery } from './query-definition.js';
import { Uuid } from './text.js';

const fields = {
  id: Id,
  name: z.string(),
  transport: ServerTransport,
  enabled: z.boolean(),
  approval: ServerApproval,
  pins: z.array(ToolPin),
};

/** A server as shown to an admin; its state, era and tools are known to the gateway that has connected to it. */
const RegisteredServer = z.object({ ...fields, url: z.string() });
export type RegisteredServer = Wire<typeof RegisteredServer>;

/** All servers of a workspace, oldest first; their number is bounded. */
export const ListServers = defineQuery(
  'servers.list',
  z.strictObject({ serverId: Uuid.optional() }),
  z.object({ items: z.array(RegisteredServer) }),
);

const OpenedServer = z.object({ ...fields, secrets: ServerSecrets });
export type OpenedServer = Wire<typeof OpenedServer>;

/**
 * Answered only for the gateway, on behalf of the installation: the servers of a workspace with decrypted credentials.
 */
export const OpenServers = defineQuery('servers.open', z.strictObject({}), z.object({ items: z.array(OpenedServer) }));
