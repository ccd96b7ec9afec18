import { ConnectorCapability, Retention } from '@cairn/contracts';
import type { ConnectorManifest } from '@cairn/connectors';
import { Get } from '@nestjs/common';
import { z } from 'zod';
import { ConnectorRegistry } from '../connectors/connector-registry.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';

const ConnectorAnswer = z.object({
  id: z.string(),
  name: z.string(),
  capabilities: z.array(ConnectorCapability),
  multiAccount: z.boolean(),
  retention: Retention.describe('The most that is stored of a text.'),
  settings: z
    .array(z.object({ name: z.string(), about: z.string(), isList: z.boolean() }))
    .describe('What an account has to say about its source, as fields of its settings.'),
  substrateTable: z
    .object({
      name: z.string(),
      category: z.string(),
      metrics: z.array(z.object({ name: z.string(), unit: z.string(), aggregation: z.string() })),
    })
    .exactOptional()
    .describe('The rows that files of this source hold.'),
});

const tableOf = ({ name, category, metrics }: NonNullable<ConnectorManifest['substrateTable']>) => ({
  name,
  category: category.name,
  metrics: Object.entries(metrics).map(([metric, { unit, aggregation }]) => ({ name: metric, unit, aggregation })),
});

/** Texts and lists of texts: enough to build a form. */
const fieldsOf = (settings: ConnectorManifest['settings']) =>
  Object.entries(settings.shape).map(([name, field]) => ({
    name,
    about: z.globalRegistry.get(field)?.description ?? '',
    isList: field instanceof z.ZodArray,
  }));

const answerOf = ({ settings, substrateTable, ...manifest }: ConnectorManifest) => ({
  ...manifest,
  settings: fieldsOf(settings),
  ...(substrateTable && { substrateTable: tableOf(substrateTable) }),
});

@RestController('connectors', { access: 'admin' })
export class ConnectorsController {
  constructor(private readonly registry: ConnectorRegistry) {}

  @Get()
  @Operation({
    summary: 'List the connectors of this installation',
    answer: z.object({ items: z.array(ConnectorAnswer), nextCursor: z.null() }),
  })
  async list(@Call() { counted }: RestCall) {
    await counted;
    return { items: this.registry.connectors.map(({ manifest }) => answerOf(manifest)), nextCursor: null };
  }
}
