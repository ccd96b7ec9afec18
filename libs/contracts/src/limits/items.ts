// What an item consists of.

export const TITLE_CHARS_MAX = 200;
export const ITEM_TITLE_CHARS_MAX = 500;
/** The length of a title that is derived from the beginning of the text. */
export const DERIVED_TITLE_CHARS_MAX = 80;
export const KNOWLEDGE_BODY_CHARS_MAX = 32_000;
export const ITEM_TEXT_CHARS_MAX = 500_000;
/** The text of `remember` must fit one op, in case it has to wait for a person's decision. */
export const MEMORY_TEXT_CHARS_MAX = 100_000;
export const MEMORY_LABEL_CHARS_MAX = 200;
/** `add_to_knowledge`: a shorter text is more likely a slip than knowledge. */
export const ADDED_TEXT_CHARS_MIN = 20;
export const TAGS_MAX = 16;
export const TAG_CHARS_MAX = 64;
/** Items whose replacement changes by one supersession; its op names all of them. */
export const SUPERSEDED_TOGETHER_MAX = 5_000;
