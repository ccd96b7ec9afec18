import { CLIENT_TEMPLATES, MCP_URL_PLACEHOLDER, TOKEN_PLACEHOLDER } from '@cairn/contracts';
import { Get } from '@nestjs/common';
import { ClientsAnswer } from './answer.schema.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';

@RestController('clients', { access: 'admin' })
export class ClientsController {
  @Get()
  @Operation({
    summary: 'How each MCP client is connected: what to paste, and where',
    note: `The texts have ${MCP_URL_PLACEHOLDER} where the address of /mcp belongs, and ${TOKEN_PLACEHOLDER} where the token does.`,
    answer: ClientsAnswer,
  })
  list() {
    return { clients: CLIENT_TEMPLATES };
  }
}
