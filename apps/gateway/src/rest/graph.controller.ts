import { EDGE_SOURCE_KINDS } from '@cairn/contracts';
import { Get, Query } from '@nestjs/common';
import type { z } from 'zod';
import { GraphAnswer, graphQuery } from './graph.schema.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';
import { withoutFolder } from './without-folder.js';

@RestController('graph', { access: 'graph:read' })
export class GraphController {
  @Get()
  @Operation({ summary: 'Walk the graph from an entity, in both directions', answer: GraphAnswer })
  async walk(@Query({ schema: graphQuery }) query: z.output<typeof graphQuery>, @Call() { cairn }: RestCall) {
    const { sourceKinds = [...EDGE_SOURCE_KINDS], ...rest } = query;
    const walk = await cairn.query('graph.walk', { ...rest, sourceKinds, surface: 'rest' });
    const { entity, candidates, nodes, edges, truncated, stale } = walk;
    return {
      entity: entity && withoutFolder(entity),
      ...(candidates && { candidates: candidates.map(withoutFolder) }),
      nodes: nodes.map(withoutFolder),
      edges: edges.map((edge) => ({ ...edge, evidence: edge.evidence.map(withoutFolder) })),
      truncated,
      stale,
    };
  }
}
