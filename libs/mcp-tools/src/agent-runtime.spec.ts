import { beforeEach, describe, expect, it } from '@jest/globals';
import { TOOLSETS, type Principal } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { AgentRuntime } from './agent-runtime.js';
import { InMemoryCairn } from './cairn.fake.js';
import type { CairnPort } from './cairn.port.js';
import { itemData } from './cairn-workspace.builder.js';
import { InMemoryFiles } from './file.fake.js';
import { InMemoryPages } from './page.fake.js';
import { findTool, TOOLS } from './registry.js';

const TOOL = 'carabase_attach_file';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const file = { file_name: 'notes.txt', content_base64: base64('The run found three harbours.') };

let cairn: CairnPort;
let logCardId: string;

const runtime = ({
  run = { logCardId },
  ...principal
}: Partial<Principal> & { run?: { logCardId: string } | null } = {}) =>
  new AgentRuntime({
    context: {
      cairn,
      clock: { now: () => 0 },
      pages: new InMemoryPages(),
      files: new InMemoryFiles(),
      run: run ?? undefined,
    },
    principal: { scopes: ['admin'], toolsets: [...TOOLSETS], ...principal },
    correlationId: 'c-1',
  });

beforeEach(async () => {
  cairn = new InMemoryCairn().as({ workspaceId: uuidV7(), agentId: 'a' });
  logCardId = (await cairn.command('item.store', itemData({ kind: 'log-card', title: 'Run 7' }))).itemId;
});

describe('an agent inside the host', () => {
  it('[C-62] attaches a file to the log card of its run', async () => {
    const { structuredContent } = await runtime().call(TOOL, file);
    const { artifact, log_card_id, link_id, chunk_count } = structuredContent as Record<string, unknown>;
    expect([log_card_id, chunk_count]).toEqual([logCardId, 1]);
    const itemId = String(artifact).split('/').at(-1)!;
    expect(await cairn.query('item.get', { itemId, surface: 'mcp' })).toMatchObject({
      kind: 'file',
      title: 'notes',
      content: 'The run found three harbours.',
      source: { kind: 'file', name: 'notes.txt' },
    });
    const { items } = await cairn.query('links.list', { itemId: logCardId, limit: 10, surface: 'mcp' });
    expect(items).toMatchObject([{ id: link_id, fromItemId: itemId, type: 'attached_to', direction: 'in' }]);
  });

  it('[C-63] has a tool that no transport offers', () => {
    expect(
      runtime()
        .list()
        .map(({ name }) => name),
    ).toContain(TOOL);
    expect(TOOLS.map(({ name }) => name)).not.toContain(TOOL);
    expect([findTool(TOOL), findTool(TOOL, 'in-process')?.name]).toEqual([undefined, TOOL]);
  });

  it('gets a hint outside a run', async () => {
    const failed = await runtime({ run: null }).call(TOOL, file);
    expect(failed).toMatchObject({
      isError: true,
      structuredContent: { code: 'run.missing', hint: { kind: 'attachNoRun', next: [{ tool: 'store_knowledge' }] } },
    });
  });

  it.each([
    ['a file of an unknown kind', { ...file, file_name: 'x.exe' }, 'file.unsupported', 'file_name'],
    ['content that is not base64', { ...file, content_base64: '!!!!' }, 'input.invalid', 'content_base64'],
    ['an empty file', { ...file, content_base64: '' }, 'input.invalid', 'content_base64'],
    ['a log card of its own choice', { ...file, log_card_id: uuidV7() }, 'input.invalid', 'log_card_id'],
    ['no name', { ...file, file_name: ' ' }, 'input.invalid', 'file_name'],
  ])('is refused %s', async (_, args, code, field) => {
    expect(await runtime().call(TOOL, args)).toMatchObject({ isError: true, structuredContent: { code, field } });
  });

  it('attaches only to a log card that it may see', async () => {
    const { itemId } = await cairn.command('item.store', itemData());
    for (const other of [itemId, uuidV7()]) {
      const failed = await runtime({ run: { logCardId: other } }).call(TOOL, file);
      expect(failed).toMatchObject({ isError: true, structuredContent: { code: 'item.not_found' } });
    }
  });

  it('may call the tools that its scopes and toolsets allow', async () => {
    const reader = runtime({ scopes: ['graph:read'], toolsets: ['graph'] });
    expect(reader.list().map(({ name }) => name)).not.toContain(TOOL);
    expect(await reader.call(TOOL, file)).toMatchObject({
      isError: true,
      structuredContent: { code: 'scope.missing' },
    });
    await expect(reader.call('recall', {})).rejects.toMatchObject({ code: 'tool.unknown' });
    await expect(reader.call('nothing', {})).rejects.toMatchObject({ code: 'tool.unknown' });
  });

  it('also calls the network tools', async () => {
    const { structuredContent } = await runtime().call('carabase_traverse_memory_network', { anchor: [logCardId] });
    expect(structuredContent).toMatchObject({ memories: [{ memory_id: logCardId }] });
  });
});

describe('the links of a commit', () => {
  const commit = (links: object[]) =>
    runtime().call('commit_to_folio', { folioName: 'Inbox', content: 'A report.', extraMetadata: { links } });

  it('are added with the commit', async () => {
    const made = await commit([
      { toItemId: logCardId, type: 'derived_from' },
      { toItemId: logCardId, type: 'supports', confidence: 0.5 },
    ]);
    const { commit_id } = made.structuredContent as { commit_id: string };
    const { items } = await cairn.query('links.list', { itemId: commit_id, limit: 10, surface: 'mcp' });
    const shown = items.map(({ type, confidence, sourceKind }) => [type, confidence, sourceKind]).sort();
    expect(shown).toEqual([
      ['derived_from', 0.8, 'inferred'],
      ['supports', 0.5, 'inferred'],
    ]);
  });

  it.each([
    ['a confidence above 0.95', { type: 'supports', confidence: 0.96 }, 'input.invalid'],
    ['supersedes', { type: 'supersedes' }, 'link.use_supersede'],
    ['an unknown item', { type: 'supports', toItemId: uuidV7() }, 'item.not_found'],
  ])('refuse the commit for %s', async (_, link, code) => {
    const before = await cairn.query('items.list', { limit: 50, surface: 'mcp' });
    const failed = await commit([{ toItemId: logCardId, ...link }]);
    expect(failed).toMatchObject({ isError: true, structuredContent: { code } });
    expect(await cairn.query('items.list', { limit: 50, surface: 'mcp' })).toEqual(before);
  });
});
