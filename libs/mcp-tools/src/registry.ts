import { TOOLSETS, type Toolset } from '@cairn/contracts';
import { attachFile } from './graph/attach-file.tool.js';
import { commitToFolio } from './graph/commit-to-folio.tool.js';
import { findEntityCandidates } from './graph/find-entity-candidates.tool.js';
import { searchGraph } from './graph/search-graph.tool.js';
import { queryMetadata } from './graph/query-metadata.tool.js';
import { searchSemantic } from './graph/search-semantic.tool.js';
import { queryTimeseries } from './graph/query-timeseries.tool.js';
import { resolveMeshUri } from './graph/resolve-mesh-uri.tool.js';
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
import { traverseMemoryNetwork } from './graph/traverse-memory-network.tool.js';
import type { HintedTool } from './graph/graph-tool.js';
import { routeAndExecute } from './graph/route-and-execute.tool.js';
import { verifyHypothesis } from './graph/verify-hypothesis.tool.js';
import type { DefinedTool, Surface, Tool } from './tool.js';

/** A graph tool without hints does not compile here. */
type ByToolset = Readonly<Record<Toolset, readonly DefinedTool[]>> & { readonly graph: readonly HintedTool[] };

const BY_TOOLSET: ByToolset = {
  knowledge_base: [addToKnowledge, getItem, listRecent, searchKnowledgeBase],
  memory: [apply, correct, forget, recall, remember, stats],
  knowledge: [searchKnowledge, storeKnowledge, supersedeKnowledge],
  graph: [
    attachFile,
    commitToFolio,
    findEntityCandidates,
    queryMetadata,
    queryTimeseries,
    resolveMeshUri,
    routeAndExecute,
    searchGraph,
    searchSemantic,
    traverseMemoryNetwork,
    verifyHypothesis,
  ],
  // Tools of external servers are not known here: the gateway discovers them.
  external: [],
};

/** Every tool of Cairn, sorted by name: a list that never changes its order can be cached and compared. */
export const EVERY_TOOL: readonly Tool[] = TOOLSETS.flatMap((toolset) =>
  BY_TOOLSET[toolset].map((tool) => ({ ...tool, toolset })),
).sort((a, b) => (a.name < b.name ? -1 : 1));

export const toolsOn = (surface: Surface): readonly Tool[] =>
  EVERY_TOOL.filter(({ surfaces }) => surfaces.includes(surface));

/** The tools that an MCP client can be offered. */
export const TOOLS = toolsOn('mcp');

const byName = new Map(EVERY_TOOL.flatMap((tool) => [tool.name, ...tool.aliases].map((name) => [name, tool])));

/** Finds a tool by its name or an alias; undefined if the tool is not on the surface. */
export const findTool = (name: string, surface: Surface = 'mcp'): Tool | undefined => {
  const tool = byName.get(name);
  return tool?.surfaces.includes(surface) ? tool : undefined;
};
