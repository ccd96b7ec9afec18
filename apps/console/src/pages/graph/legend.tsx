import type { EntityType } from '../../api/answers.js';
import { ENTITY_TYPES, TypeMark } from './entity-look.js';
import classes from './graph.module.css';

/** The types in the picture, and the meaning of its lines. */
export const Legend = ({ types }: { readonly types: ReadonlySet<EntityType> }) => (
  <ul className={classes.legend} aria-label="Legend">
    {ENTITY_TYPES.filter((type) => types.has(type)).map((type) => (
      <li key={type}>
        <TypeMark type={type} />
      </li>
    ))}
    <li className={classes.mark}>
      <span className={classes.legendLine} aria-hidden /> read from a text
    </li>
    <li className={classes.mark}>
      <span className={classes.legendLine} data-dashed="true" aria-hidden /> stated by an agent, or not certain
    </li>
    <li>larger: more statements</li>
  </ul>
);
