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
import type { Tool } from './tool.js';

/** Every tool of Cairn, sorted by name: a list that never changes its order can be cached and compared. */
export const TOOLS: readonly Tool[] = [
  addToKnowledge,
  apply,
  correct,
  forget,
  getItem,
  listRecent,
  recall,
  remember,
  searchKnowledge,
  searchKnowledgeBase,
  stats,
  storeKnowledge,
  supersedeKnowledge,
].sort((a, b) => (a.name < b.name ? -1 : 1));

const byName = new Map(TOOLS.map((tool) => [tool.name, tool]));

export const findTool = (name: string): Tool | undefined => byName.get(name);
