import type { Entity } from '../../api/answers.js';

/** The entity that the most chunks mention; of several with equal counts, the first in the list. */
export const widelyNamed = (entities: readonly Entity[]): Entity | undefined =>
  entities.reduce<Entity | undefined>(
    (most, entity) => (most && most.mentions >= entity.mentions ? most : entity),
    undefined,
  );
