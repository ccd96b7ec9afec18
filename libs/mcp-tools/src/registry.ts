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
import type { HintedTool } from './graph/graph-tool.js';
import type { DefinedTool, Surface, Tool } from './tool.js';

/** A tool of the graph without hints does not compile here. */
type ByToolset = Readonly<Record<Toolset, readonly DefinedTool[]>> & { readonly graph: readonly HintedTool[] };

const BY_TOOLSET: ByToolset = {
  knowledge_base: [addToKnowledge, getItem, listRecent, searchKnowledgeBase],
  memory: [apply, correct, forget, recall, remember, stats],
  knowledge: [searchKnowledge, storeKnowledge, supersedeKnowledge],
  graph: [],
  // Those of external servers are not known here: the gateway discovers them.
  external: [],
};

/** Every tool of Cairn, sorted by name: a list that never changes its order can be cached and compared. */
export const EVERY_TOOL: readonly Tool[] = TOOLSETS.flatMap((toolset) =>
  BY_TOOLSET[toolset].map((tool) => ({ ...tool, toolset })),
).sort((a, b) => (a.name < b.name ? -1 : 1));

export const toolsOn = (surface: Surface): readonly Tool[] =>
  EVERY_TOOL.filter(({ surfaces }) => surfaces.includes(surface));

/** What a client of MCP can be offered. */
export const TOOLS = toolsOn('mcp');

const byName = new Map(EVERY_TOOL.flatMap((tool) => [tool.name, ...tool.aliases].map((name) => [name, tool])));

/** By its name or an alias; undefined where the tool is not on the surface. */
export const findTool = (name: string, surface: Surface = 'mcp'): Tool | undefined => {
  const tool = byName.get(name);
  return tool?.surfaces.includes(surface) ? tool : undefined;
};
