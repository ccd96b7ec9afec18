import { Extensions1763251200000 } from './1763251200000-extensions.js';
import { ProjectionLayout1763308800000 } from './1763308800000-projection-layout.js';
import { Erasures1763337600000 } from './1763337600000-erasures.js';
import { Secrets1763424000000 } from './1763424000000-secrets.js';
import { StoreGenerations1763427600000 } from './1763427600000-store-generations.js';
import { Builds1763431200000 } from './1763431200000-builds.js';

export const migrations = [
  Extensions1763251200000,
  ProjectionLayout1763308800000,
  Erasures1763337600000,
  Secrets1763424000000,
  StoreGenerations1763427600000,
  Builds1763431200000,
];
