import {
  AgentId,
  fail,
  MESH_TEXT_TOKENS_MAX,
  MESH_URI_CHARS_MAX,
  meshUri,
  parseMeshUri,
  text,
  Time,
} from '@cairn/contracts';
import { Body, Post } from '@nestjs/common';
import { z } from 'zod';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';

const newConfirmation = z.strictObject({
  uri: text(1, MESH_URI_CHARS_MAX).describe('A mesh URI, as the item has it.'),
  agentId: AgentId.optional().describe('Only this agent may use it. Any agent when left out.'),
  maxTokens: z
    .int()
    .min(1)
    .max(MESH_TEXT_TOKENS_MAX)
    .optional()
    .describe('A longer text is not fetched. The rule of the account when left out.'),
});

const ConfirmationIssuedAnswer = z.object({
  uri: z
    .string()
    .describe('The same URI with a confirmation_token, for carabase_resolve_mesh_uri. Good for one fetch.'),
  expiresAt: Time,
});

@RestController('mesh', { access: 'admin' })
export class MeshController {
  @Post('confirmations')
  @Operation({
    summary: 'Confirm one fetch of a text from its source',
    note: 'For accounts whose confirm is always. The confirmation works once, for 15 minutes.',
    status: 201,
    answer: ConfirmationIssuedAnswer,
  })
  async confirm(
    @Body({ schema: newConfirmation }) body: z.output<typeof newConfirmation>,
    @Call() { cairn }: RestCall,
  ) {
    const address = parseMeshUri(body.uri);
    if (!address)
      throw fail('input.invalid', 'uri must be a mesh URI such as mesh://<connector>/<accountId>/<itemId>', {
        field: 'uri',
      });
    const { token: _, ...place } = address;
    const { uri: __, ...rules } = body;
    const { token, expiresAt } = await cairn.query('mesh.confirm', { ...place, ...rules });
    return { uri: `${meshUri(place)}?confirmation_token=${token}`, expiresAt };
  }
}
