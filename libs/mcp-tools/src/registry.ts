import { getItem } from './knowledge-base/get-item.tool.js';
import { searchKnowledgeBase } from './knowledge-base/search-knowledge-base.tool.js';
import { searchKnowledge } from './knowledge/search-knowledge.tool.js';
import { storeKnowledge } from './knowledge/store-knowledge.tool.js';
import { supersedeKnowledge } from './knowledge/supersede-knowledge.tool.js';
import type { Tool } from './tool.js';

/** Every tool of Cairn, sorted by name: a list that never changes its order can be cached and compared. */
export const TOOLS: readonly Tool[] = [
  getItem,
  searchKnowledge,
  searchKnowledgeBase,
  storeKnowledge,
  supersedeKnowledge,
].sort((a, b) => (a.name < b.name ? -1 : 1));

const byName = new Map(TOOLS.map((tool) => [tool.name, tool]));

export const findTool = (name: string): Tool | undefined => byName.get(name);
