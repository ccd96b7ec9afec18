/** How Cairn introduces itself to MCP clients. */
export const SERVER_INFO = { name: 'cairn', title: 'Cairn', version: '0.1.0' } as const;

export const SERVER_INSTRUCTIONS =
  'Cairn is a knowledge base. Search it before answering from memory (search_knowledge_base, search_knowledge), fetch ' +
  'full texts with get_item, and store what is worth keeping with store_knowledge.';
