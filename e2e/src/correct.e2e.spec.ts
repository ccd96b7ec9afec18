import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HOSTILE } from './hostile-text.js';
import { newestOp, newWord } from './knowledge.js';
import {
  connect,
  embedded,
  ERAS,
  newToken,
  newWorkspace,
  rest,
  storeItem,
  type ToolAnswer,
  type ToolClient,
} from './under-test.js';

const ENDPOINT = 'The API endpoint is /v1/search.';
const CHANGE = 'The endpoint changed from /v1/search to /v2/query in March 2025.';
const CORRECTED = 'The API endpoint is /v2/query.';

describe.each(ERAS)('correct and apply, %s', (era) => {
  let admin: string;
  let writer: string;
  let client: ToolClient;
  const opened: ToolClient[] = [];

  const clientOf = async (token: string): Promise<ToolClient> => {
    const made = await connect(token, era);
    opened.push(made);
    return made;
  };

  const ok = ({ isError, structuredContent }: ToolAnswer): Record<string, any> => {
    expect([isError ?? false, structuredContent]).toEqual([false, structuredContent]);
    return structuredContent;
  };
  const call = async (tool: string, args: Record<string, unknown>, who = client) => ok(await who.call(tool, args));
  const refused = async (tool: string, args: Record<string, unknown>, who = client): Promise<Record<string, any>> => {
    const { isError, structuredContent } = await who.call(tool, args);
    expect(isError).toBe(true);
    const { correlationId: _, ...rest } = structuredContent;
    return rest;
  };

  const store = async (text = ENDPOINT, more: Record<string, unknown> = {}, by = writer) => {
    const { id, chunkIds } = await storeItem(by, { title: `Note ${newWord()}`, text, ...more });
    if (more['inKb'] !== false) await embedded(admin, id);
    return { id, chunkId: chunkIds[0]! };
  };
  const found = async (query: string, mode: string, who = client): Promise<any[]> =>
    (await call('search_knowledge_base', { query, mode, limit: 20 }, who))['hits'];

  beforeAll(async () => {
    admin = (await newWorkspace()).token;
    const scopes = ['read', 'write', 'memory:read', 'memory:write'];
    writer = await newToken(admin, { scopes, agentId: 'writer' });
    client = await clientOf(writer);
  });
  afterAll(async () => {
    for (const one of opened) await one.close();
  });

  it('[N-38] [N-42] [N-43] [N-47] [N-48] [N-50] [N-52] [N-53] reproduce the example of the specification', async () => {
    const { id, chunkId } = await store();
    const [hit] = await found('API endpoint', 'keyword');
    expect(hit.chunkId).toBe(chunkId);
    const proposed = await call('correct', { chunkId: hit.chunkId, proposal: CHANGE });
    expect(proposed).toEqual({
      correctionId: expect.any(String),
      chunkId,
      originalText: ENDPOINT,
      proposedText: CORRECTED,
      diff: `- ${ENDPOINT}\n+ ${CORRECTED}`,
      expiresAt: expect.any(String),
    });
    const lifeMs = Date.parse(proposed['expiresAt']) - Date.now();
    expect(lifeMs).toBeGreaterThan(9 * 60_000);
    expect(lifeMs).toBeLessThanOrEqual(10 * 60_000 + 5_000);

    const applied = await call('apply', { correctionId: proposed['correctionId'] });
    expect(applied).toEqual({
      chunkId,
      applied: true,
      newEmbeddingComputed: true,
      opLogEventId: expect.any(String),
      position: expect.any(Number),
    });
    const reader = await clientOf(await newToken(admin, { scopes: ['read'] }));
    for (const mode of ['keyword', 'semantic', 'hybrid']) {
      const [first] = await found('/v2/query', mode, reader);
      expect(first).toMatchObject({ chunkId, snippet: expect.stringContaining('/v2/query') });
    }
    expect(await found('/v1/search', 'keyword')).toEqual([]);
    expect((await rest(admin, 'GET', `/items/${id}`)).body).toMatchObject({
      content: CORRECTED,
      embeddingStatus: 'ready',
    });
    const op = (await rest(admin, 'GET', `/ops/${applied['opLogEventId']}`)).body;
    expect(op).toMatchObject({
      id: applied['opLogEventId'],
      position: applied['position'],
      kind: 'correction',
      type: 'chunk.corrected',
      actor: { agentId: 'writer' },
      data: { chunkId, itemId: id, oldText: ENDPOINT, newText: CORRECTED },
    });
    expect((await rest(admin, 'GET', '/ops?kind=correction')).body.items.map((one: any) => one.id)).toContain(op.id);
  });

  it('[N-38] [N-42] [N-43] [N-48] accept the corrected text from the caller, and show only the changes of a longer one', async () => {
    const lines = ['Owner: Grace', 'Team: search', 'Port: 8080', 'Host: a', 'Mode: b'];
    const { id, chunkId } = await store(lines.join('\n'));
    const newText = lines.with(2, 'Port: 8443').join('\n');
    const proposed = await call('correct', { chunkId, proposal: 'the port has changed', newText });
    expect(proposed).toMatchObject({
      originalText: lines.join('\n'),
      proposedText: newText,
      diff: '  …\n  Team: search\n- Port: 8080\n+ Port: 8443\n  Host: a\n  …',
    });
    await call('apply', { correctionId: proposed['correctionId'] });
    expect((await rest(admin, 'GET', `/items/${id}`)).body.content).toBe(newText);
    const again = await refused('correct', { chunkId, proposal: 'the port has changed', newText });
    expect(again).toMatchObject({ code: 'correction.unusable', field: 'newText' });
  });

  it('[N-38] understand plain words, and explain what to do if they are unclear', async () => {
    const { chunkId } = await store('The port is 8080. Builds run on Jenkins.');
    for (const [proposal, proposedText] of [
      ['8443, not 8080', 'The port is 8443. Builds run on Jenkins.'],
      ['8080 is wrong, it is 8443', 'The port is 8443. Builds run on Jenkins.'],
      ['update the port to 8443', 'The port is 8443. Builds run on Jenkins.'],
      ['add: TLS is required.', 'The port is 8080. Builds run on Jenkins. TLS is required.'],
      ['remove the sentence about Jenkins', 'The port is 8080.'],
    ])
      expect(await call('correct', { chunkId, proposal })).toMatchObject({ proposedText });
    const unclear = await refused('correct', { chunkId, proposal: '8080 is wrong' });
    expect(unclear).toMatchObject({ code: 'correction.no_rule', field: 'proposal', retry: false });
    expect(unclear['message']).toMatch(/newText.*"B, not A".*"add: a sentence"/);
  });

  it('[N-39] write nothing while a correction is only proposed', async () => {
    const { id, chunkId } = await store();
    const before = [await newestOp(admin), (await rest(admin, 'GET', `/items/${id}`)).body];
    await call('correct', { chunkId, proposal: CHANGE });
    expect([await newestOp(admin), (await rest(admin, 'GET', `/items/${id}`)).body]).toEqual(before);
  });

  it('[N-46] tell the model to show the diff to the user first', async () => {
    const tools = await client.listTools();
    expect(tools.find(({ name }) => name === 'correct')!.description).toContain('Always show the diff to the user');
  });

  it('apply once: a second call returns the same answer, and a changed text needs a new proposal', async () => {
    const { id, chunkId } = await store();
    const first = await call('correct', { chunkId, proposal: CHANGE });
    const second = await call('correct', { chunkId, proposal: 'replace API with HTTP' });
    const applied = await call('apply', { correctionId: first['correctionId'] });
    const op = await newestOp(admin);
    const again = await call('apply', { correctionId: first['correctionId'] });
    expect(again).toEqual({ ...applied, newEmbeddingComputed: again['newEmbeddingComputed'] });
    expect(await refused('apply', { correctionId: second['correctionId'] })).toMatchObject({
      code: 'correction.stale',
      retry: false,
      field: 'correctionId',
    });
    expect(await newestOp(admin)).toBe(op);
    expect((await rest(admin, 'GET', `/items/${id}`)).body.content).toBe(CORRECTED);
  });

  it('apply one of many concurrent corrections of a chunk', async () => {
    const { id, chunkId } = await store();
    const proposals: Record<string, any>[] = [];
    for (let i = 0; i < 10; i++)
      proposals.push(await call('correct', { chunkId, proposal: `replace /v1/search with /v${i + 10}/query` }));
    const answers = await Promise.all(proposals.map(({ correctionId }) => client.call('apply', { correctionId })));
    const winners = answers.flatMap(({ isError }, i) => (isError ? [] : [i]));
    expect(winners).toHaveLength(1);
    expect(
      new Set(answers.flatMap(({ isError, structuredContent }) => (isError ? [structuredContent['code']] : []))),
    ).toEqual(new Set(['correction.stale']));
    const { content } = (await rest(admin, 'GET', `/items/${id}`)).body;
    expect(content).toBe(proposals[winners[0]!]!['proposedText']);
  });

  it('[N-40] [N-49] do not find a correction that is unknown, hidden or of another agent', async () => {
    const scopes = ['memory:write'];
    const other = await clientOf(await newToken(admin, { scopes, agentId: 'another' }));
    const folder = async (tier: string): Promise<string> =>
      (await rest(admin, 'POST', '/folders', { slug: `f-${randomUUID()}`, name: tier, tier })).body.id;
    const [closed, notes] = [await folder('sensitive'), await folder('personal')];
    const scoped = await clientOf(
      await newToken(admin, { scopes, agentId: 'writer', isUnscoped: false, folderIds: [notes] }),
    );
    const { chunkId } = await store();
    const { chunkId: sensitive } = await store(ENDPOINT, { folderId: closed }, admin);
    const noChunk = await refused('correct', { chunkId: randomUUID(), proposal: CHANGE });
    expect(noChunk).toMatchObject({ code: 'chunk.not_found', retry: false, field: 'chunkId' });
    expect(await refused('correct', { chunkId: sensitive, proposal: CHANGE })).toEqual(noChunk);
    expect(await refused('correct', { chunkId: sensitive, proposal: CHANGE }, await clientOf(admin))).toEqual(noChunk);
    expect(await refused('correct', { chunkId, proposal: CHANGE }, scoped)).toEqual(noChunk);

    const { correctionId } = await call('correct', { chunkId, proposal: CHANGE });
    const noCorrection = await refused('apply', { correctionId: randomUUID() });
    expect(noCorrection).toMatchObject({ code: 'correction.not_found', retry: false, field: 'correctionId' });
    expect(await refused('apply', { correctionId }, other)).toEqual(noCorrection);
    expect(await refused('apply', { correctionId }, scoped)).toEqual(noCorrection);
    expect(await call('apply', { correctionId })).toMatchObject({ chunkId, applied: true });
  });

  it('[N-40] [N-41] [N-49] reject bad arguments, and name the field', async () => {
    for (const [tool, args, field] of [
      ['correct', { proposal: 'x' }, 'chunkId'],
      ['correct', { chunkId: 'abc123', proposal: 'x' }, 'chunkId'],
      ['correct', { chunkId: randomUUID() }, 'proposal'],
      ['correct', { chunkId: randomUUID(), proposal: 'x'.repeat(2_001) }, 'proposal'],
      ['apply', {}, 'correctionId'],
      ['apply', { correctionId: 'cor001' }, 'correctionId'],
    ] as const)
      expect(await refused(tool, args)).toMatchObject({ code: 'input.invalid', retry: false, field });
  });

  it('explain what can be corrected without a model, and reject a text that does not fit a chunk', async () => {
    const { chunkId } = await store();
    expect(await refused('correct', { chunkId, proposal: 'make it sound nicer' })).toMatchObject({
      code: 'correction.no_rule',
      retry: false,
      message: expect.stringContaining('"replace A with B"'),
    });
    const { chunkId: many } = await store('a x '.repeat(40));
    const proposal = `replace x with ${'word '.repeat(50)}`;
    expect(await refused('correct', { chunkId: many, proposal })).toMatchObject({
      code: 'correction.too_long',
      limit: 480,
    });
  });

  it('treat hostile text as plain text, in the instruction and in the replacement', async () => {
    const { id, chunkId } = await store('The label says x.');
    for (const [what, text] of HOSTILE) {
      const asked = await client.call('correct', { chunkId, proposal: text });
      expect([what, asked.structuredContent['code']]).toEqual([what, 'correction.no_rule']);
      // Text that ends the quotation, or is blank, is not understood; everything else is inserted unchanged.
      const proposal = `replace x with "${text.slice(0, 200)}"`;
      const { code, proposedText = 'The label says ' } = (await client.call('correct', { chunkId, proposal }))
        .structuredContent;
      expect([what, code === undefined || code === 'correction.no_rule']).toEqual([what, true]);
      expect([what, proposedText.startsWith('The label says ')]).toEqual([what, true]);
    }
    expect((await rest(admin, 'GET', `/items/${id}`)).body.content).toBe('The label says x.');
  });

  it('[N-52] keep a correction when the item leaves the knowledge base and returns', async () => {
    const { id, chunkId } = await store('The lamp on the pier is green.');
    expect((await rest(admin, 'PATCH', `/items/${id}`, { inKb: false })).status).toBe(200);
    const { correctionId } = await call('correct', { chunkId, proposal: 'replace green with vermilion' });
    expect(await call('apply', { correctionId })).toMatchObject({ applied: true, newEmbeddingComputed: false });
    expect((await rest(admin, 'PATCH', `/items/${id}`, { inKb: true })).status).toBe(200);
    await embedded(admin, id);
    for (const mode of ['keyword', 'semantic'])
      expect((await found('vermilion lamp pier', mode))[0]).toMatchObject({ chunkId });
  });
});
