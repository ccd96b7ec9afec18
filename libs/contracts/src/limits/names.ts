// Names of folders, tokens, sources and other things, and references to them.

export const NAME_CHARS_MAX = 120;
export const SLUG_CHARS_MAX = 64;
export const README_CHARS_MAX = 8_000;
export const SOURCE_NAME_CHARS_MAX = 500;
export const SOURCE_URI_CHARS_MAX = 2_000;
/** The id of an item, or its URI as Cairn issues it. */
export const ITEM_REFERENCE_CHARS_MAX = 64;
export const TASK_ID_CHARS_MAX = 128;
