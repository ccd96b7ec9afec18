import { archive } from './archive/archive.projection.js';
import { lexical } from './lexical/lexical.projection.js';
import { library } from './library/library.projection.js';
import type { Projection } from './projection.js';
import { vectors } from './vectors/vectors.projection.js';

/**
 * All read models. Forgetting takes them in this order, and one that fails keeps those after it waiting: what may live
 * outside Postgres comes last.
 */
export const PROJECTIONS: readonly Projection[] = [library, archive, vectors, lexical];
