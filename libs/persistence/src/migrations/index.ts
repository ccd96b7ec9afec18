import { Extensions1763251200000 } from './1763251200000-extensions.js';
import { ProjectionLayout1763308800000 } from './1763308800000-projection-layout.js';
import { Erasures1763337600000 } from './1763337600000-erasures.js';

export const migrations = [Extensions1763251200000, ProjectionLayout1763308800000, Erasures1763337600000];
