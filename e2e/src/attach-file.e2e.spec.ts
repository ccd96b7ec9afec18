import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemPrincipal, type Principal } from '@cairn/contracts';
import { DocumentParser, fileItem } from '@cairn/documents';
import { uuidV7 } from '@cairn/kernel';
import { AgentRuntime, type CairnPort, type PagePort } from '@cairn/mcp-tools';
import { connectNats, natsAccess, Requester, type NatsConnection } from '@cairn/messaging';
import { docxOf } from '@cairn/testing';
import { newWorkspace, rest, underTest } from './under-test.js';

const TOOL = 'carabase_attach_file';
const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64');

let nats: NatsConnection;
let requester: Requester;
let workspace: { readonly id: string; readonly token: string };
let logCardId: string;
const documents = new DocumentParser();

/** The parts of a host that embeds an agent: requests to the product, its own parser, and the run. */
const cairnOf = (principal: Principal): CairnPort => {
  const context = () => ({ principal, correlationId: 'agent-run', id: uuidV7() });
  return {
    command: (type, data) => requester.command(type, data, context()),
    query: (type, data) => requester.query(type, data, context()),
  };
};

const noPages: PagePort = { read: () => Promise.reject(new Error('a run reads no page')) };

const agent = (run: string = logCardId, more: Partial<Principal> = {}): AgentRuntime => {
  const principal = { ...systemPrincipal(workspace.id), tokenId: uuidV7(), agentId: 'harbour-agent', ...more };
  const files = {
    read: ({ name, bytes }: { readonly name: string; readonly bytes: Uint8Array }) =>
      fileItem({ fileName: name, bytes }, (file) => documents.parse(file, principal)),
  };
  const clock = { now: () => Date.now() };
  const context = { cairn: cairnOf(principal), clock, pages: noPages, files, run: { logCardId: run } };
  return new AgentRuntime({ context, principal, correlationId: 'agent-run' });
};

beforeAll(async () => {
  nats = await connectNats(natsAccess(underTest.envs.cli), 'cli');
  requester = new Requester(nats);
  workspace = await newWorkspace();
  const { body: folder } = await rest(workspace.token, 'POST', '/folders', { slug: 'runs', name: 'Runs' });
  const card = { title: 'Run 7', text: 'Survey the harbours.', folderId: folder.id };
  logCardId = (await rest(workspace.token, 'POST', '/log-cards', card)).body.id;
}, 60_000);
afterAll(async () => {
  await documents.close();
  await nats.close();
});

const attached = async (file: { readonly file_name: string; readonly content_base64: string; title?: string }) => {
  const { structuredContent, ...answer } = await agent().call(TOOL, file);
  expect(answer).not.toHaveProperty('isError', true);
  return structuredContent as Record<string, any>;
};

describe('an agent inside the host', () => {
  it('[C-62] attaches a parsed file to the log card of its run, where everyone can read it', async () => {
    const bytes = docxOf([{ text: 'Three harbours are open.' }]);
    const answer = await attached({ file_name: 'survey.docx', content_base64: base64(bytes), title: 'The survey' });
    expect(answer).toMatchObject({ log_card_id: logCardId, chunk_count: 1, position: expect.any(Number) });
    const itemId = answer['artifact'].split('/').at(-1) as string;
    const card = (await rest(workspace.token, 'GET', `/items/${logCardId}`)).body;
    expect((await rest(workspace.token, 'GET', `/items/${itemId}`)).body).toMatchObject({
      ...{ kind: 'file', title: 'The survey', folderId: card.folderId },
      content: expect.stringContaining('Three harbours are open.'),
      source: { kind: 'file', name: 'survey.docx' },
    });
    const { body } = await rest(workspace.token, 'GET', `/items/${logCardId}/links`);
    expect(body.items).toMatchObject([
      { id: answer['link_id'], fromItemId: itemId, toItemId: logCardId, type: 'attached_to', direction: 'in' },
    ]);
  });

  it('walks from the log card to the attached files', async () => {
    await attached({ file_name: 'log.txt', content_base64: base64('The tide was high.') });
    const { structuredContent } = await agent().call('carabase_traverse_memory_network', { anchor: [logCardId] });
    const titles = (structuredContent as { memories: { title: string }[] }).memories.map(({ title }) => title);
    expect(titles.sort()).toEqual(['Run 7', 'The survey', 'log']);
  });

  it.each([
    ['bytes that are not what the name says', { file_name: 'a.pdf', content_base64: base64('text') }, /^file\./],
    ['a file of an unknown kind', { file_name: 'a.exe', content_base64: base64('text') }, /^file\.unsupported$/],
    ['an empty file', { file_name: 'a.txt', content_base64: base64('   ') }, /^(?:file\.|input\.invalid)/],
  ])('is rejected %s, with the name of the argument, and nothing is stored', async (_, file, code) => {
    const ids = async () => (await rest(workspace.token, 'GET', '/items')).body.items.map((item: any) => item.id);
    const before = await ids();
    const { structuredContent, ...answer } = await agent().call(TOOL, file);
    expect(answer).toHaveProperty('isError', true);
    expect(structuredContent).toMatchObject({
      code: expect.stringMatching(code),
      field: expect.stringMatching(/^(?:file_name|content_base64)$/),
      hint: { kind: expect.any(String) },
    });
    expect(await ids()).toEqual(before);
  });

  it('cannot attach to a log card of another workspace, nor to one that its folders hide', async () => {
    const other = await newWorkspace();
    const { body } = await rest(other.token, 'POST', '/log-cards', { title: 'Theirs', text: 'A run.' });
    const file = { file_name: 'a.txt', content_base64: base64('A text.') };
    const { body: folder } = await rest(workspace.token, 'POST', '/folders', { slug: 'other', name: 'Other' });
    const narrow = { isUnscoped: false, folderIds: [folder.id as string], scopes: ['graph:write'] as const };
    for (const refused of [
      await agent(body.id).call(TOOL, file),
      await agent(logCardId, { ...narrow, scopes: [...narrow.scopes] }).call(TOOL, file),
    ])
      expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'item.not_found' } });
  });
});
