import {
  CONFIRMATION_LISTS,
  CONFIRMATION_UNDO_MS,
  ConfirmationView,
  NAME_CHARS_MAX,
  pageOf,
  text,
  Uuid,
} from '@cairn/contracts';
import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { z } from 'zod';
import { ConfirmationResolvedAnswer } from './answer.schema.js';
import { BY_ID } from './by-id.js';
import { idParam, pageFields } from './common.schema.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';

const filter = z.strictObject({
  ...pageFields,
  status: z
    .enum(CONFIRMATION_LISTS)
    .default('pending')
    .describe('pending: those that wait for a decision. discarded: those that were dismissed and can be restored.'),
});

const decision = z
  .strictObject({
    action: z.enum(['use', 'create', 'dismiss', 'restore']),
    folderId: Uuid.optional().describe('With use: the folder to store the waiting text in.'),
    name: text(1, NAME_CHARS_MAX)
      .optional()
      .describe('With create: the name of the new folder; the name that the agent suggested when left out.'),
  })
  .superRefine(({ action, folderId, name }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message, input: field });
    if (action === 'use' && folderId === undefined) refuse('folderId', 'is required when action is use');
    if (action !== 'use' && folderId !== undefined) refuse('folderId', `must be left out when action is ${action}`);
    if (action !== 'create' && name !== undefined) refuse('name', `must be left out when action is ${action}`);
    if (name?.trim() === '') refuse('name', 'must not be blank');
  });

@RestController('confirmations', { access: 'admin' })
export class ConfirmationsController {
  @Get()
  @Operation({
    summary: 'List the memories that wait for a person to say where they belong, newest first',
    answer: pageOf(ConfirmationView),
  })
  list(@Query({ schema: filter }) { limit, cursor, status }: z.output<typeof filter>, @Call() { cairn }: RestCall) {
    return cairn.query('confirmations.list', {
      limit,
      // Sent only if needed: a search service of the previous build does not know it.
      ...(status === 'discarded' && { status }),
      ...(cursor === undefined ? {} : { cursor }),
    });
  }

  @Post(BY_ID)
  @Operation({
    summary: 'Store a waiting memory in a folder, create one for it, dismiss it, or restore it',
    note: `A new folder is personal, and its slug is made of its name. The waiting text is kept encrypted for 24 hours. What is dismissed can be restored for ${CONFIRMATION_UNDO_MS / 60_000} minutes, but not past the 24 hours; then its text and its key are destroyed. What is decided or expired is 409.`,
    answer: ConfirmationResolvedAnswer,
    takesKey: true,
  })
  async resolve(
    @Body({ schema: decision }) body: z.output<typeof decision>,
    @Param({ schema: idParam }) { id }: z.output<typeof idParam>,
    @Call() { cairn }: RestCall,
  ) {
    const resolved = await cairn.command('confirmation.resolve', { confirmationId: id, ...body });
    const { folderId, itemId, position } = resolved;
    if (body.action === 'dismiss') return { dismissed: true, position };
    return body.action === 'restore' ? { restored: true, position } : { itemId, folderId, position };
  }
}
