// Links between items, and walks over them.

/** Links that one request adds; one op names all of them. */
export const LINKS_PER_CALL_MAX = 500;
/** How many item ids in the text of one chunk become links: the first ones. */
export const TEXT_LINKS_PER_CHUNK_MAX = 64;
/** A walk: its starting points, its depth, the size of its answer, and how many links it reads. */
export const WALK_ANCHORS_MAX = 16;
export const WALK_DEPTH_DEFAULT = 2;
export const WALK_DEPTH_MAX = 3;
export const WALK_LIMIT_DEFAULT = 10;
export const WALK_LIMIT_MAX = 50;
export const LINKS_WALKED_MAX = 20_000;
/** The time limit for computing the rank of one walk. */
export const WALK_MS_MAX = 250;
