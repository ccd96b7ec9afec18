import type { EntityType } from '../../api/answers.js';
import { GLYPHS } from './entity-glyphs.js';
import classes from './graph.module.css';

/** In the order of the legend. */
export const ENTITY_TYPES: readonly EntityType[] = [
  'person',
  'organization',
  'project',
  'tool',
  'topic',
  'concept',
  'event',
];

/** The colour, drawing and name of a type: the colour alone never carries meaning. */
export const TypeMark = ({ type }: { readonly type: EntityType }) => (
  <span className={classes.mark}>
    <svg className={classes.dot} data-type={type} viewBox="-5 -5 34 34" aria-hidden>
      <circle className={classes.circle} cx="12" cy="12" r="16" />
      <g className={classes.glyph}>{GLYPHS[type]}</g>
    </svg>
    {type}
  </span>
);
