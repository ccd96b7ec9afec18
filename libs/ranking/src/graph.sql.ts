import {
  graphAmbiguous,
  graphEdge,
  graphEdgeChunks,
  graphFunctional,
  graphReviewedChunks,
  graphVerdicts,
} from './graph-edges.sql.js';
import {
  graphFolders,
  graphItemKeys,
  graphKeyOf,
  graphKeys,
  graphKnownKeys,
  graphNames,
  graphPlaces,
  graphSpelledLike,
} from './graph-names.sql.js';
import { graphEdgesAt, graphEvidence, graphMentionCounts, graphMerges, graphNewestMentions } from './graph-walk.sql.js';

/** File name in `__sql__` to statement. */
export const GRAPH_SQL: Readonly<Record<string, string>> = {
  'graph-merges': graphMerges,
  'graph-newest-mentions': graphNewestMentions,
  'graph-mention-counts': graphMentionCounts,
  'graph-edges-at': graphEdgesAt,
  'graph-evidence': graphEvidence,
  'graph-names': graphNames,
  'graph-keys': graphKeys,
  'graph-key-of': graphKeyOf,
  'graph-known-keys': graphKnownKeys,
  'graph-spelled-like': graphSpelledLike,
  'graph-folders': graphFolders,
  'graph-places': graphPlaces,
  'graph-item-keys': graphItemKeys,
  'graph-edge': graphEdge,
  'graph-edge-chunks': graphEdgeChunks,
  'graph-ambiguous': graphAmbiguous,
  'graph-functional': graphFunctional,
  'graph-verdicts': graphVerdicts,
  'graph-reviewed-chunks': graphReviewedChunks,
};
