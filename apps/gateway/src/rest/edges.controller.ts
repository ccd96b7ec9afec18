import { EdgeView } from '@cairn/contracts';
import { Body, Get, Param, Post } from '@nestjs/common';
import type { z } from 'zod';
import { BY_ID } from './by-id.js';
import { idParam } from './common.schema.js';
import { EdgeReviewedAnswer, EdgesStatedAnswer, newEdges, verdict } from './graph.schema.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';
import { reviewEdge } from './review-edge.js';
import { withoutFolder } from './without-folder.js';

@RestController('edges', { access: 'admin' })
export class EdgesController {
  @Post()
  @Operation({
    access: 'graph:write',
    summary: 'State edges of the graph that a chunk, or a new text, says',
    note:
      'An edge lives as long as its evidence: forgetting the chunk forgets it. An admin token speaks for a person. Any ' +
      'other token is an agent: its confidence is at most 0.95, and both names must occur in the evidence.',
    status: 201,
    answer: EdgesStatedAnswer,
    takesKey: true,
  })
  state(@Body({ schema: newEdges }) body: z.output<typeof newEdges>, @Call() { cairn }: RestCall) {
    return cairn.command('edge.observe', { ...body, surface: 'rest' });
  }

  @Get(BY_ID)
  @Operation({ access: 'graph:read', summary: 'Get an edge with the chunks that state it', answer: EdgeView })
  async get(@Param({ schema: idParam }) { id }: z.output<typeof idParam>, @Call() { cairn }: RestCall) {
    const { evidence, ...edge } = await cairn.query('edge.get', { edgeId: id, surface: 'rest' });
    return { ...edge, evidence: evidence.map(withoutFolder) };
  }

  @Post(`${BY_ID}/review`)
  @Operation({
    summary: 'Confirm or reject an edge, or a suggested merge',
    note: 'For every chunk that states it now. The last verdict counts, also after the graph is rebuilt.',
    answer: EdgeReviewedAnswer,
    takesKey: true,
  })
  review(
    @Body({ schema: verdict }) body: z.output<typeof verdict>,
    @Param({ schema: idParam }) { id }: z.output<typeof idParam>,
    @Call() call: RestCall,
  ) {
    return reviewEdge(call, id, body.verdict);
  }
}
