import { randomUUID } from 'node:crypto';
import type { FolderReader } from '@cairn/access';
import type { EdgeVerdict, ObservedEdge } from '@cairn/contracts';
import { entityKey } from '@cairn/graph';
import { SeededLibrary } from '@cairn/projections/testing';
import { installRanking } from '@cairn/ranking';
import { edgeRef, keyedHash, sealFindings, sealName } from '@cairn/vault';
import type { GraphContext } from './graph-context.js';

/** The place of a text in a test. */
export interface SeededText {
  readonly workspaceId: string;
  readonly folderId: string;
  readonly itemId: string;
  readonly chunkId: string;
  readonly text: string;
}

/** A library whose texts are read for the graph, and its readers. */
export class GraphReads {
  private constructor(readonly library: SeededLibrary) {}

  static async start(): Promise<GraphReads> {
    const library = await SeededLibrary.start({ graph: true });
    await installRanking(library.pool);
    return new GraphReads(library);
  }

  stop(): Promise<void> {
    return this.library.stop();
  }

  async context(reader: Partial<FolderReader> & Pick<FolderReader, 'workspaceId'>): Promise<GraphContext> {
    const secrets = await this.library.vault.secrets();
    const { workspaceId } = reader;
    return {
      pool: this.library.pool,
      vault: this.library.vault,
      reader: { folderIds: null, seesSensitive: false, ...reader },
      entityId: (key) => secrets.entityId(workspaceId, key),
      inTurn: (statement) => statement(),
    };
  }

  async text(workspaceId: string, folderId: string, text: string, more = {}): Promise<SeededText> {
    const { itemId, chunkIds } = await this.library.item({
      workspaceId,
      folderId,
      title: 'A note',
      chunks: [{ text }],
      ...more,
    });
    return { workspaceId, folderId, itemId, chunkId: chunkIds[0]!, text };
  }

  async observe(at: SeededText, edges: readonly Partial<ObservedEdge>[]): Promise<void> {
    const { workspaceId, folderId, itemId, chunkId, text } = at;
    const key = await this.keyOf(at);
    const stated = edges.map((edge) => ({
      subject: 'Alice Chen',
      predicate: 'works_at',
      object: 'Meridian Labs',
      confidence: 0.8,
      sourceKind: 'inferred' as const,
      negated: false,
      ...edge,
    }));
    const findings = sealFindings(key, workspaceId, chunkId, { mentions: [], edges: stated }).toString('base64');
    const data = {
      itemId,
      chunkId,
      folderId,
      textHash: keyedHash(key, text),
      origin: 'agent',
      extractor: null,
      findings,
    } as const;
    await this.library.apply(workspaceId, { type: 'edge.observed', data });
  }

  /** What names an edge in a text. */
  async refOf(at: SeededText, [subject, predicate, object]: readonly [string, string, string]): Promise<string> {
    const names = { subjectKey: entityKey(subject)!, predicate, objectKey: entityKey(object)! };
    return edgeRef(await this.keyOf(at), names);
  }

  async review(at: SeededText, edge: readonly [string, string, string], verdict: EdgeVerdict): Promise<void> {
    const { workspaceId, itemId, chunkId } = at;
    const data = { itemId, chunkId, edgeRef: await this.refOf(at, edge), verdict };
    await this.library.apply(workspaceId, { type: 'edge.reviewed', data });
  }

  async merge(alias: readonly [string, SeededText], canonical: readonly [string, SeededText]): Promise<string> {
    const mergeId = randomUUID();
    const anchor = async ([name, at]: readonly [string, SeededText]) => [
      {
        itemId: at.itemId,
        chunkId: at.chunkId,
        name: sealName(await this.keyOf(at), at.workspaceId, at.chunkId, name).toString('base64'),
      },
    ];
    const data = { mergeId, alias: await anchor(alias), canonical: await anchor(canonical) };
    await this.library.apply(alias[1].workspaceId, { type: 'entity.merged', data });
    return mergeId;
  }

  private async keyOf({ workspaceId, itemId, chunkId }: SeededText): Promise<Uint8Array> {
    return (await this.library.vault.get(workspaceId, itemId)).chunks.get(chunkId)!;
  }
}
