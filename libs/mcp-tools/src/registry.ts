import { TOOLSETS, type Toolset } from '@cairn/contracts';
import { addToKnowledge } from './knowledge-base/add-to-knowledge.tool.js';
import { getItem } from './knowledge-base/get-item.tool.js';
import { listRecent } from './knowledge-base/list-recent.tool.js';
import { searchKnowledgeBase } from './knowledge-base/search-knowledge-base.tool.js';
import { searchKnowledge } from './knowledge/search-knowledge.tool.js';
import { storeKnowledge } from './knowledge/store-knowledge.tool.js';
import { supersedeKnowledge } from './knowledge/supersede-knowledge.tool.js';
import { apply } from './memory/apply.tool.js';
import { correct } from './memory/correct.tool.js';
import { forget } from './memory/forget.tool.js';
import { recall } from './memory/recall.tool.js';
import { remember } from './memory/remember.tool.js';
import { stats } from './memory/stats.tool.js';
import type { DefinedTool, Tool } from './tool.js';

const BY_TOOLSET: Readonly<Record<Toolset, readonly DefinedTool[]>> = {
  knowledge_base: [addToKnowledge, getItem, listRecent, searchKnowledgeBase],
  memory: [apply, correct, forget, recall, remember, stats],
  knowledge: [searchKnowledge, storeKnowledge, supersedeKnowledge],
  graph: [],
};

/** Every tool of Cairn, sorted by name: a list that never changes its order can be cached and compared. */
export const TOOLS: readonly Tool[] = TOOLSETS.flatMap((toolset) =>
  BY_TOOLSET[toolset].map((tool) => ({ ...tool, toolset })),
).sort((a, b) => (a.name < b.name ? -1 : 1));

const byName = new Map(TOOLS.map((tool) => [tool.name, tool]));

export const findTool = (name: string): Tool | undefined => byName.get(name);
