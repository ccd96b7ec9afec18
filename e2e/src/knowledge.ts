import { expect } from '@jest/globals';
import { rest, type ToolAnswer, type ToolClient } from './under-test.js';

/** A hit of `search_knowledge`, with `explain` if it was requested. */
export interface KnowledgeHit {
  readonly id: string;
  readonly title: string;
  readonly snippet: string;
  readonly score: number;
  readonly rawScore: number;
  readonly tags: readonly string[];
  readonly supersededById: string | null;
  readonly resource: string;
  readonly explain?: {
    readonly fusion: string;
    readonly legs: readonly {
      readonly leg: string;
      readonly rank: number | null;
      readonly rawScore: number | null;
      readonly normalizedScore: number;
      readonly weight: number;
      readonly contribution: number;
    }[];
  };
}

const content = ({ structuredContent, isError }: ToolAnswer): Record<string, any> => {
  if (isError) throw new Error(JSON.stringify(structuredContent));
  return structuredContent;
};

/** The three knowledge tools as one agent calls them. */
export class Knowledge {
  constructor(private readonly client: ToolClient) {}

  async store(title: string, body: string, more: Record<string, unknown> = {}): Promise<string> {
    return content(await this.client.call('store_knowledge', { title, body, ...more }))['id'] as string;
  }

  async search(query: string, more: Record<string, unknown> = {}): Promise<KnowledgeHit[]> {
    return content(await this.client.call('search_knowledge', { query, ...more }))['hits'] as KnowledgeHit[];
  }

  async found(query: string, more: Record<string, unknown> = {}): Promise<string[]> {
    return (await this.search(query, { limit: 50, ...more })).map(({ id }) => id);
  }

  async supersede(oldId: string, newId: string): Promise<Record<string, any>> {
    return content(await this.client.call('supersede_knowledge', { oldId, newId }));
  }

  /** The error of a rejected call. */
  async refusal(tool: string, args: Record<string, unknown>): Promise<Record<string, any>> {
    const answer = await this.client.call(tool, args);
    expect(answer.isError).toBe(true);
    expect(answer.structuredContent).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    return answer.structuredContent;
  }

  call(tool: string, args: Record<string, unknown>): Promise<ToolAnswer> {
    return this.client.call(tool, args);
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** The newest op of a workspace, which a rejected call must not change. */
export const newestOp = async (admin: string): Promise<string> =>
  (await rest(admin, 'GET', '/ops?limit=1')).body.items[0].id as string;

/** A word that occurs nowhere else. */
export const newWord = (): string => `zq${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`;
