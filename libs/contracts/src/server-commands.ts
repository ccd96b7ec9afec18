import { z } from 'zod';
import { Position } from './answer.js';
import { defineCommand } from './command-definition.js';
import {
  ServerApproval,
  ServerCredential,
  ServerName,
  ServerTransport,
  ServerUrl,
  ToolPins,
} from './external-server.js';
import { Uuid } from './text.js';

const result = z.strictObject({ serverId: Uuid, position: Position });

export const RegisterServer = defineCommand(
  'server.register',
  z.strictObject({
    serverId: Uuid,
    name: ServerName,
    url: ServerUrl,
    transport: ServerTransport,
    credential: ServerCredential.optional(),
    enabled: z.boolean(),
    approval: ServerApproval,
  }),
  result,
);

/** The fields of a server that a person may change. A null credential removes the current one. */
export const serverChangeFields = {
  name: ServerName.optional(),
  url: ServerUrl.optional(),
  transport: ServerTransport.optional(),
  credential: ServerCredential.nullable().optional(),
  enabled: z.boolean().optional(),
  approval: ServerApproval.optional(),
};

export const ConfigureServer = defineCommand(
  'server.configure',
  z.strictObject({
    serverId: Uuid,
    ...serverChangeFields,
    /** Added to the approved definitions; replaces those with the same names. */
    approve: ToolPins.optional(),
  }),
  result,
);

export const RemoveServer = defineCommand('server.remove', z.strictObject({ serverId: Uuid }), result);

/**
 * Sent by a gateway on behalf of the installation: the definitions of the first discovery. It changes nothing once
 * there are pins, so that the first of several gateways decides.
 */
export const PinServer = defineCommand(
  'server.pin',
  z.strictObject({ serverId: Uuid, tools: ToolPins.min(1) }),
  result,
);
