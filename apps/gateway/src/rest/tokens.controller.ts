import { pageOf, TokenView } from '@cairn/contracts';
import { Body, Delete, Get, Param, Post, Query } from '@nestjs/common';
import type { z } from 'zod';
import { TokenIssuedAnswer } from './answer.schema.js';
import { BY_ID } from './by-id.js';
import { idParam, pageQuery } from './common.schema.js';
import { issueToken, newToken, SHOWN_ONCE } from './issue-token.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';

@RestController('tokens', { access: 'admin' })
export class TokensController {
  @Post()
  @Operation({ summary: 'Issue a token; the secret is shown once', answer: TokenIssuedAnswer, ...SHOWN_ONCE })
  issue(@Body({ schema: newToken }) body: z.output<typeof newToken>, @Call() call: RestCall) {
    return issueToken(body, call);
  }

  @Get()
  @Operation({ summary: 'List the tokens of the workspace, without secrets', answer: pageOf(TokenView) })
  list(@Query({ schema: pageQuery }) page: z.output<typeof pageQuery>, @Call() { cairn }: RestCall) {
    return cairn.query('tokens.list', page);
  }

  @Delete(BY_ID)
  @Operation({ summary: 'Revoke a token; it is refused within two seconds', status: 204, takesKey: true })
  async revoke(
    @Param({ schema: idParam }) { id }: z.output<typeof idParam>,
    @Call() { cairn }: RestCall,
  ): Promise<void> {
    await cairn.command('token.revoke', { tokenId: id });
  }
}
