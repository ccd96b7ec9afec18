import { ProjectionsView } from '@cairn/contracts';
import { Get } from '@nestjs/common';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';

@RestController('projections', { access: 'admin' })
export class ProjectionsController {
  @Get()
  @Operation({
    summary: 'Where each projection stands: checkpoint, head, lag in ops and seconds',
    answer: ProjectionsView,
  })
  list(@Call() { cairn }: RestCall) {
    return cairn.query('projections.get', {});
  }
}
