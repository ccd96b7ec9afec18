// A walk over the graph: hops, edges per node, and the size of the whole answer.

export const GRAPH_DEPTH_MAX = 3;
export const GRAPH_EDGES_PER_NODE_MAX = 50;
export const GRAPH_NODES_MAX = 200;
export const GRAPH_EDGES_MAX = 400;
