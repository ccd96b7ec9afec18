import { expect } from '@jest/globals';
import { asAppError } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { InMemoryCairn, type Caller } from '../cairn.fake.js';
import { InMemoryPages } from '../page.fake.js';
import { findTool } from '../registry.js';
import { failedResult, toolResult, type ContentBlock } from '../result.js';
import type { ToolContext } from '../tool.js';

/** JSON from the wire, as tests read it. */
type Loose = ReturnType<typeof JSON.parse>;

export interface CalledResult {
  readonly isError?: true;
  readonly content: readonly ContentBlock[];
  readonly structuredContent: Loose;
}

/** The tools on an in-memory Cairn, called as by a host. Every answer is checked against the tool's own schema. */
export const graphToolsOn = (nowMs = Date.parse('2027-03-02T12:00:00Z'), more: Partial<ToolContext> = {}) => {
  let now = nowMs;
  const clock = { now: () => now };
  const store = new InMemoryCairn(clock);
  const alice: Caller = { workspaceId: uuidV7(), agentId: 'alice' };
  const cairn = (who: Partial<Caller> = {}) => store.as({ ...alice, ...who });
  const call = async (name: string, args: unknown, who: Partial<Caller> = {}): Promise<CalledResult> => {
    const tool = findTool(name)!;
    const context: ToolContext = { cairn: cairn(who), clock, pages: new InMemoryPages(), ...more };
    try {
      const answer = await tool.call(args, context);
      expect(tool.output.safeParse(answer.structured).error).toBeUndefined();
      return toolResult(answer);
    } catch (thrown) {
      return failedResult(tool, asAppError(thrown), { args, correlationId: uuidV7() });
    }
  };
  const folder = async (name: string, tier: 'public' | 'personal' | 'sensitive' = 'personal'): Promise<string> => {
    const folderId = uuidV7();
    const slug = name.toLowerCase().replaceAll(' ', '-');
    await cairn().command('folder.create', {
      folderId,
      slug,
      name,
      tier,
      maxTokensPerRecall: null,
      readme: `About ${name}.`,
    });
    return folderId;
  };
  const at = (time: string): void => {
    now = Date.parse(time);
  };
  return { store, cairn, call, folder, at };
};

/** The last block of a result: the hint and the trace. */
export const trailerOf = ({ content }: CalledResult): string => {
  const last = content.at(-1);
  return last?.type === 'text' ? last.text : '';
};

export const textOf = ({ content }: CalledResult): string => (content[0]?.type === 'text' ? content[0].text : '');
