/**
 * Queries about the graph: entities, edges, walks, the review inbox. All of them are limited to what their reader may
 * see.
 */
export { edgeView } from './edge-view.js';
export { entityDetail } from './entity-detail.js';
export { entityKeys } from './entity-keys.js';
export { findEntities } from './find-entities.js';
export { type GraphContext } from './graph-context.js';
export { itemMentions } from './item-mentions.js';
export { listEntities, type EntityPage } from './list-entities.js';
export { locateEdge, locateEntity } from './locate.js';
export { reviewList, type ReviewPage } from './review-list.js';
export { walkGraph } from './walk-graph.js';
