// Names in the graph, and where they are mentioned.

/** The length of a name, and of a query for one. */
export const ENTITY_NAME_CHARS_MAX = 80;
export const ENTITY_QUERY_CHARS_MAX = 200;
export const ENTITIES_FOUND_MAX = 20;
export const NEAR_NAMES_MAX = 8;
/** Names of a workspace that are compared with a misspelt one. */
export const SPELLINGS_COMPARED_MAX = 200_000;
/** Items on an entity's own page. */
export const ENTITY_ITEMS_MAX = 20;
/** Mentions of one name that are counted. */
export const MENTIONS_READ_MAX = 1_000;
/** The newest mentions of a name, whose most frequent form and type are shown for it. */
export const MENTIONS_NAMING_MAX = 3;
/** Mentions that the page of an item lists. */
export const ITEM_MENTIONS_MAX = 100;
