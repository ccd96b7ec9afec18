import { archive } from './archive/archive.projection.js';
import { graph } from './graph/graph.projection.js';
import { lexical } from './lexical/lexical.projection.js';
import { library } from './library/library.projection.js';
import type { Projection } from './projection.js';
import { substrate } from './substrate/substrate.projection.js';
import { vectors } from './vectors/vectors.projection.js';

/**
 * All read models. Forgetting processes them in this order, and a failing one delays those after it: read models that
 * may be outside Postgres come last.
 */
export const PROJECTIONS: readonly Projection[] = [library, archive, substrate, vectors, graph, lexical];

/** The schemas that they have in Postgres, for the check of a role. */
export const READ_MODEL_SCHEMAS: readonly string[] = PROJECTIONS.map(({ name }) => name);
