import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GENESIS_HASH, TOKEN_REVOKED_SUBJECT, type Principal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { isIntact, decodeEnvelope } from '@cairn/op-log';
import { openMeta, openText } from '@cairn/vault';
import { itemData, longText, tokenGrant } from './command-data.builder.js';
import { IngestUnderTest } from './ingest-under-test.harness.js';

let ingest: IngestUnderTest;
let admin: Principal;

beforeAll(async () => {
  ingest = await IngestUnderTest.start();
  admin = await ingest.workspace();
}, 60_000);
afterAll(() => ingest.stop());

const rowOf = async <R extends object>(sql: string, ...values: unknown[]): Promise<R> =>
  (await ingest.pool.query<R & Record<string, unknown>>(sql, values)).rows[0]!;

const bodyOf = async (workspaceId: string, itemId: string): Promise<string> => {
  const keys = await ingest.vault.get(workspaceId, itemId);
  const { rows } = await ingest.pool.query<{ chunk_id: string; text: Buffer }>(
    'select chunk_id, text from library.bodies where item_id = $1 order by ordinal',
    [itemId],
  );
  return rows.map((row) => openText(keys.chunks.get(row.chunk_id)!, workspaceId, row.chunk_id, row.text)).join('');
};

describe('executing commands', () => {
  it('creates a workspace with its folder and its token, once', async () => {
    const principal = await ingest.workspace('twice');
    expect(await ingest.count('folders', principal)).toBe(1);
    expect(await ingest.count('tokens', principal)).toBe(1);
    await expect(ingest.workspace('twice')).rejects.toMatchObject({ code: 'workspace.slug_taken' });
  });

  it('lets one of many workspaces with the same slug win', async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => ingest.workspace('wanted-by-all')));
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('creates and configures folders, issues and revokes tokens', async () => {
    const folderId = systemIds.next();
    const folder = {
      folderId,
      slug: 'papers',
      name: 'Papers',
      tier: 'public' as const,
      maxTokensPerRecall: 5,
      readme: 'r',
    };
    await ingest.command(admin, 'folder.create', folder);
    await ingest.command(admin, 'folder.configure', { folderId, tier: 'sensitive', maxTokensPerRecall: null });
    expect(
      await rowOf('select name, tier, max_tokens_per_recall, readme from library.folders where id = $1', folderId),
    ).toEqual({
      name: 'Papers',
      tier: 'sensitive',
      max_tokens_per_recall: null,
      readme: 'r',
    });
    const token = tokenGrant({ folderIds: [folderId] });
    await ingest.command(admin, 'token.issue', token);
    await ingest.command(admin, 'token.revoke', { tokenId: token.tokenId });
    const row = await rowOf<{ folder_ids: string[]; revoked_at: Date }>(
      'select * from library.tokens where id = $1',
      token.tokenId,
    );
    expect(row.folder_ids).toEqual([folderId]);
    expect(row.revoked_at).toBeInstanceOf(Date);
  });

  it('notifies every gateway of a revocation once it is in the library, and again for a repeat', async () => {
    const token = tokenGrant();
    await ingest.command(admin, 'token.issue', token);
    const notices = ingest.nats.subscribe(TOKEN_REVOKED_SUBJECT, { max: 2 });
    await ingest.nats.flush();
    await ingest.command(admin, 'token.revoke', { tokenId: token.tokenId });
    const row = await rowOf<{ revoked_at: Date }>('select * from library.tokens where id = $1', token.tokenId);
    expect(row.revoked_at).toBeInstanceOf(Date);
    await ingest.command(admin, 'token.revoke', { tokenId: token.tokenId });
    const messages: string[] = [];
    for await (const message of notices) messages.push(message.string());
    expect(messages).toEqual([token.tokenId, token.tokenId]);
  });

  it('stores an item that can be read back at once, with the agent and the source of the caller [D-17] [D-18]', async () => {
    const text = 'Ünïcode 😀\r\nand a second line, with "quotes", \\ and {braces}.';
    const data = itemData({ title: 'Ein „Titel"', text, tags: ['a', 'b'], expiresAt: '2099-01-01T00:00:00+01:00' });
    const { itemId, chunkIds, position } = await ingest.command({ ...admin, agentId: 'agent-z' }, 'item.store', data);
    const row = await rowOf<{ meta: Buffer }>('select * from library.items where id = $1', itemId);
    expect(row).toMatchObject({
      created_by_agent_id: 'agent-z',
      source_kind: 'agent',
      confidence: 80,
      in_kb: true,
      position: String(position),
      expires_at: new Date('2098-12-31T23:00:00Z'),
    });
    const keys = await ingest.vault.get(admin.workspaceId, itemId);
    expect(openMeta(keys.item, admin.workspaceId, itemId, row.meta)).toEqual({ title: data.title, tags: ['a', 'b'] });
    expect(await bodyOf(admin.workspaceId, itemId)).toBe(text);
    const chunk = await rowOf('select id, tags, title, superseded from library.chunks where item_id = $1', itemId);
    expect(chunk).toEqual({ id: chunkIds[0], tags: ['a', 'b'], title: data.title, superseded: false });
    expect(await rowOf('select chunk_id from lexical.documents where item_id = $1', itemId)).toEqual({
      chunk_id: chunkIds[0],
    });
  });

  it('does not wait for an embedder: none runs here, and the text is found by its words at once [D-19] [D-21]', async () => {
    const { itemId } = await ingest.command(admin, 'item.store', itemData({ text: 'A zebra crossed the log.' }));
    const found = `select item_id from library.chunks where words @@ plainto_tsquery('simple', 'zebra')`;
    expect(await rowOf(found)).toEqual({ item_id: itemId });
    expect(await rowOf('select count(*)::int as n from vectors.embeddings')).toEqual({ n: 0 });
  });

  it.each([5, 70, 200])('stores a text of about %i chunks whole', async (chunks) => {
    const text = longText(chunks);
    const { itemId, chunkIds, position } = await ingest.command(admin, 'item.store', itemData({ text }));
    expect(await bodyOf(admin.workspaceId, itemId)).toBe(text);
    const { rows } = await ingest.pool.query(
      'select chunk_id from library.bodies where item_id = $1 order by ordinal',
      [itemId],
    );
    expect(rows.map(({ chunk_id }) => chunk_id)).toEqual(chunkIds);
    expect(await rowOf('select count(*)::int as n from lexical.documents where item_id = $1', itemId)).toEqual({
      n: chunkIds.length,
    });
    expect(
      await rowOf('select count(*)::int as n, max(position)::int as last from archive.ops where item_id = $1', itemId),
    ).toEqual({
      n: Math.ceil(chunkIds.length / 64),
      last: position,
    });
  });

  it('keeps the chunks of an item outside the knowledge base out of what search reads', async () => {
    const { itemId } = await ingest.command(admin, 'item.store', itemData({ inKb: false }));
    expect(await rowOf('select id from library.chunks where item_id = $1', itemId)).toBeUndefined();
    expect(await rowOf('select chunk_id from lexical.documents where item_id = $1', itemId)).toBeUndefined();
    expect(await bodyOf(admin.workspaceId, itemId)).toBe(itemData().text);
  });

  it('supersedes an item, and the entries that pointed to it follow', async () => {
    const store = async () => (await ingest.command(admin, 'item.store', itemData())).itemId;
    const [a, b, c] = [await store(), await store(), await store()];
    await ingest.command(admin, 'item.supersede', { oldId: a, newId: b });
    const answer = await ingest.command(admin, 'item.supersede', { oldId: b, newId: c });
    expect(answer).toMatchObject({ oldId: b, newId: c, supersededById: c });
    expect(await rowOf('select superseded_by_id, superseded_head_id from library.items where id = $1', a)).toEqual({
      superseded_by_id: b,
      superseded_head_id: c,
    });
    const { rows } = await ingest.pool.query(
      'select item_id from lexical.documents where item_id = any($1) and superseded',
      [[a, b, c]],
    );
    expect(new Set(rows.map(({ item_id }) => item_id))).toEqual(new Set([a, b]));
    await expect(ingest.command(admin, 'item.supersede', { oldId: c, newId: a })).rejects.toMatchObject({
      code: 'knowledge.cycle',
    });
  });

  it('counts the chunks of a folder', async () => {
    const principal = await ingest.workspace();
    await ingest.command(principal, 'item.store', itemData({ text: longText(3) }));
    await ingest.command(principal, 'item.store', itemData({ inKb: false }));
    const counted = await rowOf<{ chunk_count: number }>(
      'select chunk_count from library.folders where workspace_id = $1',
      principal.workspaceId,
    );
    expect(counted.chunk_count).toBe(await ingest.count('chunks', principal));
  });
});

describe('group commit', () => {
  it.each([16, 50])('appends %i concurrent stores in few appends and loses none', async (n) => {
    const principal = await ingest.workspace();
    const before = await ingest.appends('ok');
    const answers = await Promise.all(
      Array.from({ length: n }, (_, i) => ingest.command(principal, 'item.store', itemData({ title: `Item ${i}` }))),
    );
    expect(new Set(answers.map(({ position }) => position)).size).toBe(n);
    expect(await ingest.count('items', principal)).toBe(n);
    expect((await ingest.appends('ok')) - before).toBeLessThanOrEqual(3);
    for (const { itemId, position } of answers) {
      expect(await rowOf('select position::int from library.items where id = $1', itemId)).toEqual({ position });
    }
  });

  it('decides each command on the state left by the previous one', async () => {
    const principal = await ingest.workspace();
    const folder = { name: 'x', tier: 'public' as const, maxTokensPerRecall: null, readme: '', slug: 'same' };
    const attempts = await Promise.allSettled(
      Array.from({ length: 5 }, () =>
        ingest.command(principal, 'folder.create', { ...folder, folderId: systemIds.next() }),
      ),
    );
    expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', ...Array<string>(4).fill('rejected')]);
    expect(await ingest.count('folders', principal)).toBe(2);
  });

  it('answers only the rejected command of a group with an error', async () => {
    const good = ingest.command(admin, 'item.store', itemData());
    const bad = ingest.command(admin, 'item.store', itemData({ folderId: systemIds.next() }));
    await expect(bad).rejects.toMatchObject({ code: 'folder.not_found' });
    await expect(good).resolves.toMatchObject({ position: expect.any(Number) });
  });

  it('appends several long items together', async () => {
    const principal = await ingest.workspace();
    const text = longText(300);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ingest.command(principal, 'item.store', itemData({ text }))),
    );
    expect(await ingest.count('chunks', principal)).toBe(answers.flatMap(({ chunkIds }) => chunkIds).length);
  }, 60_000);
});

describe('repeating a command', () => {
  it.each(['one after the other', 'at the same time'])(
    'returns the same answer for the same command id, %s',
    async (how) => {
      const principal = await ingest.workspace();
      const id = systemIds.next();
      const send = () => ingest.command(principal, 'item.store', itemData({ text: longText(70) }), id);
      const answers =
        how === 'at the same time'
          ? await Promise.all([send(), send(), send()])
          : [await send(), await send(), await send()];
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[2]).toEqual(answers[0]);
      expect(await ingest.count('items', principal)).toBe(1);
    },
  );

  it('treats the same command id in another workspace as another command', async () => {
    const id = systemIds.next();
    const other = await ingest.workspace();
    const first = await ingest.command(admin, 'item.store', itemData(), id);
    const second = await ingest.command(other, 'item.store', itemData(), id);
    expect(second.itemId).not.toBe(first.itemId);
    expect(await ingest.command(admin, 'item.store', itemData(), id)).toEqual(first);
  });

  it('stores one entry for concurrent calls with one clientToken, and answers them alike [D-14]', async () => {
    const principal = await ingest.workspace();
    const data = itemData({ clientToken: systemIds.next(), text: longText(70) });
    const answers = await Promise.all(Array.from({ length: 8 }, () => ingest.command(principal, 'item.store', data)));
    const later = await ingest.command(principal, 'item.store', data);
    for (const answer of [...answers, later]) expect(answer).toEqual(answers[0]);
    expect(await ingest.count('items', principal)).toBe(1);
  });

  it('rejects a clientToken with other content', async () => {
    const clientToken = systemIds.next();
    await ingest.command(admin, 'item.store', itemData({ clientToken }));
    await expect(ingest.command(admin, 'item.store', itemData({ clientToken, text: 'Other.' }))).rejects.toMatchObject({
      code: 'idempotency.key_reused',
    });
  });

  it('stores a second entry for another agent with the same clientToken [D-15]', async () => {
    const principal = await ingest.workspace();
    const data = itemData({ clientToken: systemIds.next() });
    const [first, second] = await Promise.all([
      ingest.command(principal, 'item.store', data),
      ingest.command({ ...principal, agentId: 'agent-b' }, 'item.store', data),
    ]);
    expect(second.itemId).not.toBe(first.itemId);
    expect(await ingest.count('items', principal)).toBe(2);
  });
});

describe('the resulting log', () => {
  it('is chained, intact, and the same in the archive', async () => {
    const { rows } = await ingest.pool.query<{ position: string; workspace_id: string; body: Buffer }>(
      'select position, workspace_id, body from archive.ops order by position',
    );
    expect(rows.at(-1)!.position).toBe(String(await ingest.log.head()));
    const heads = new Map<string, string>();
    for (const { position, workspace_id, body } of rows) {
      const envelope = decodeEnvelope(body, Number(position));
      expect(isIntact(body)).toBe(true);
      expect(envelope.prevHash).toBe(heads.get(workspace_id) ?? GENESIS_HASH);
      heads.set(workspace_id, envelope.hash);
    }
  });

  it('holds no word of a body, a title, a tag, a source or a task in the files of the broker', async () => {
    const canary = () => `canary${systemIds.next().replaceAll('-', '')}`;
    const words = { title: canary(), text: canary(), tag: canary(), source: canary(), task: canary() };
    const { itemId } = await ingest.command(
      admin,
      'item.store',
      itemData({
        title: words.title,
        text: `Look: ${words.text}.`,
        tags: [words.tag],
        source: { kind: 'url', uri: `https://${words.source}.example` },
        taskRef: { taskId: words.task, kind: 'produced' },
      }),
    );
    const grep = (word: string): string => {
      try {
        return execFileSync('grep', ['-rlaiF', word, ingest.broker.storeDir], { encoding: 'utf8' });
      } catch (thrown) {
        if ((thrown as { status?: number }).status === 1) return '';
        throw thrown;
      }
    };
    expect(grep(itemId)).not.toBe('');
    for (const word of Object.values(words)) {
      expect(grep(word)).toBe('');
      for (const before of ['', 'x', 'xx']) {
        const base64 = Buffer.from(before + word).toString('base64');
        expect(grep(base64.slice(4, -4))).toBe('');
      }
    }
  });
});
