import {
  fail,
  pageOf,
  Position,
  SERVER_TOOLS_MAX,
  ServerApproval,
  serverChangeFields,
  ServerCredential,
  ServerName,
  ServerTransport,
  ServerUrl,
  ToolPin,
  Uuid,
} from '@cairn/contracts';
import { Body, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { z } from 'zod';
import { ServerDesk } from '../external/server-desk.js';
import { ServerAnswer, ServerToolAnswer } from '../external/server-view.js';
import { BY_ID } from './by-id.js';
import { idParam, pageFields } from './common.schema.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';

const page = z.strictObject({ ...pageFields, cursor: Uuid.optional() });

const registration = z.strictObject({
  name: ServerName.describe('The first part of the names of its tools, <name>__<tool>.'),
  url: ServerUrl.describe(
    'Of its MCP endpoint: https at a public address, or an origin that the operator lists in CAIRN_MCP_LOCAL_ORIGINS.',
  ),
  transport: ServerTransport.default('auto'),
  credential: ServerCredential.optional().describe('Stored encrypted and never shown again.'),
  enabled: z.boolean().default(true).describe('false: it is not connected to at all.'),
  approval: ServerApproval.default('first-use').describe(
    'first-use: the tools of the first discovery are trusted. manual: none before it is approved. Later changes are withheld in both.',
  ),
});

const change = z
  .strictObject({
    ...serverChangeFields,
    credential: serverChangeFields.credential.describe(
      'null removes it. Required together with a url of another origin if the server has one.',
    ),
  })
  .refine(
    (data) => Object.values(data).some((value) => value !== undefined),
    `must have at least one of ${Object.keys(serverChangeFields).join(', ')}`,
  );

const approval = z
  .strictObject({
    tools: z.array(ToolPin.shape.name).min(1).max(SERVER_TOOLS_MAX),
    hashes: z
      .array(ToolPin.shape.hash)
      .max(SERVER_TOOLS_MAX)
      .optional()
      .describe('The hash of each of tools, in their order, as GET /mcp-servers/{id}/tools has shown it.'),
  })
  .refine(({ tools, hashes }) => hashes === undefined || hashes.length === tools.length, {
    path: ['hashes'],
    message: 'must have one entry for each of tools',
  });

const pinsAsGiven = (tools: readonly string[], hashes: readonly string[]): ToolPin[] =>
  tools.map((name, i) => ({ name, hash: hashes[i]! }));

const pinsNamed = (names: readonly string[], known: readonly ToolPin[]): ToolPin[] => {
  const byName = new Map(known.map((pin) => [pin.name, pin]));
  const unknown = names.findIndex((name) => !byName.has(name));
  if (unknown >= 0) {
    const field = `tools[${unknown}]`;
    throw fail('input.invalid', `${field} must be the own name of a tool that the server has now`, { field });
  }
  return [...new Set(names)].map((name) => byName.get(name)!);
};

type Id = z.output<typeof idParam>;

const Written = ServerAnswer.extend({ position: Position });

/** External MCP servers, whose tools are offered beside those of Cairn. */
@RestController('mcp-servers', { access: 'admin' })
export class McpServersController {
  constructor(private readonly desk: ServerDesk) {}

  @Post()
  @Operation({
    summary: 'Register an external MCP server, whose tools are then offered beside those of Cairn',
    note: 'The server is asked for its tools before the answer, for a few seconds at most; one that does not answer is registered all the same. Calling its tools needs the scope external.',
    status: 201,
    answer: Written,
    takesKey: true,
  })
  async register(@Body({ schema: registration }) body: z.output<typeof registration>, @Call() call: RestCall) {
    this.desk.checkUrl(body.url);
    const { serverId, position } = await call.cairn.command('server.register', {
      serverId: call.newId('server'),
      ...body,
    });
    return { ...(await this.desk.changed(call, serverId)), position };
  }

  @Get()
  @Operation({
    summary: 'List the external MCP servers with their state and tools, without secrets',
    answer: pageOf(ServerAnswer),
  })
  async list(@Query({ schema: page }) { limit, cursor }: z.output<typeof page>, @Call() call: RestCall) {
    const all = (await this.desk.all(call)).filter(({ id }) => cursor === undefined || id > cursor);
    const items = all.slice(0, limit);
    return { items, nextCursor: all.length > limit ? items.at(-1)!.id : null };
  }

  @Get(BY_ID)
  @Operation({ summary: 'Show an external MCP server, without secrets', answer: ServerAnswer })
  get(@Param({ schema: idParam }) { id }: Id, @Call() call: RestCall) {
    return this.desk.one(call, id);
  }

  @Get(`${BY_ID}/tools`)
  @Operation({
    summary: 'Show what an external MCP server says of its tools now, to decide which to approve',
    note: 'As a model would see it once it is approved.',
    answer: z.object({ items: z.array(ServerToolAnswer) }),
  })
  async tools(@Param({ schema: idParam }) { id }: Id, @Call() call: RestCall) {
    return { items: await this.desk.tools(call, id) };
  }

  @Patch(BY_ID)
  @Operation({
    summary: 'Change an external MCP server',
    note: 'Another url is another server: what was approved of the old one no longer holds. A url of another origin needs the credential again, or null: it is never sent to an address that it was not given for.',
    answer: Written,
    takesKey: true,
  })
  async change(
    @Body({ schema: change }) body: z.output<typeof change>,
    @Param({ schema: idParam }) { id }: Id,
    @Call() call: RestCall,
  ) {
    const shown = body.url === undefined ? undefined : await this.desk.registered(call, id);
    if (body.url !== undefined && body.url !== shown?.url) this.desk.checkUrl(body.url);
    const { position } = await call.cairn.command('server.configure', { serverId: id, ...body });
    return { ...(await this.desk.changed(call, id)), position };
  }

  @Delete(BY_ID)
  @Operation({
    summary: 'Remove an external MCP server; the key of its credential is destroyed',
    status: 204,
    takesKey: true,
  })
  async remove(@Param({ schema: idParam }) { id }: Id, @Call() call: RestCall): Promise<void> {
    await call.cairn.command('server.remove', { serverId: id });
    this.desk.removed(call, id);
  }

  @Post(`${BY_ID}/refresh`)
  @Operation({ summary: 'Ask an external MCP server for its tools now', answer: ServerAnswer })
  async refresh(@Param({ schema: idParam }) { id }: Id, @Call() call: RestCall) {
    return this.desk.refresh(call, id);
  }

  @Post(`${BY_ID}/approve`)
  @Operation({
    summary: 'Approve tools of an external MCP server as they were shown, by their own names',
    note: 'With hashes, exactly these definitions are approved; a tool that has changed since stays withheld. Without, those that the last finished discovery of this gateway has seen. The server is not asked again before.',
    answer: Written,
    takesKey: true,
  })
  async approve(
    @Body({ schema: approval }) { tools, hashes }: z.output<typeof approval>,
    @Param({ schema: idParam }) { id }: Id,
    @Call() call: RestCall,
  ) {
    const known = hashes ? pinsAsGiven(tools, hashes) : await this.desk.pins(call, id);
    const approve = pinsNamed(tools, known);
    const { position } = await call.cairn.command('server.configure', { serverId: id, approve });
    return { ...(await this.desk.changed(call, id)), position };
  }
}
