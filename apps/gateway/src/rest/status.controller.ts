import { StatusView } from '@cairn/contracts';
import { Get } from '@nestjs/common';
import { SERVER_INFO } from '../server-info.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';

@RestController('status', { access: 'admin' })
export class StatusController {
  @Get()
  @Operation({ summary: 'Components, versions, and what is degraded', answer: StatusView })
  async show(@Call() { cairn }: RestCall) {
    const { components, ...rest } = await cairn.query('status.get', {});
    const gateway = { name: 'gateway', ok: true, version: SERVER_INFO.version };
    return { components: [gateway, ...components], ...rest };
  }
}
