import { EventKind, EventTypeName, IsoTime, OpView, pageOf, Uuid } from '@cairn/contracts';
import { Get, Param, Query } from '@nestjs/common';
import { z } from 'zod';
import { BY_ID } from './by-id.js';
import { idParam, pageFields } from './common.schema.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';

const opFilter = z.strictObject({
  ...pageFields,
  kind: EventKind.optional().describe('The word that the specs have for it.'),
  type: EventTypeName.optional().describe('The name of the event.'),
  itemId: Uuid.optional(),
  from: IsoTime.optional().describe('To the millisecond, as ops are timed.'),
  to: IsoTime.optional().describe('To the millisecond, as ops are timed.'),
});

@RestController('ops', { access: 'admin' })
export class OpsController {
  @Get()
  @Operation({ summary: 'List the ops of the workspace, newest first', answer: pageOf(OpView) })
  list(@Query({ schema: opFilter }) filter: z.output<typeof opFilter>, @Call() { cairn }: RestCall) {
    return cairn.query('ops.list', filter);
  }

  @Get(BY_ID)
  @Operation({ summary: 'Get an op', answer: OpView })
  get(@Param({ schema: idParam }) { id }: z.output<typeof idParam>, @Call() { cairn }: RestCall) {
    return cairn.query('op.get', { opId: id });
  }
}
