/** Every metric of Cairn's own, `cairn_<part>_<what>_<unit>`. Dashboards and alerts may use no other name. */
export const METRIC_NAMES = {
  mcpOperationSeconds: 'cairn_mcp_operation_duration_seconds',
  commandSeconds: 'cairn_command_duration_seconds',
  querySeconds: 'cairn_query_duration_seconds',
  searchStageSeconds: 'cairn_search_stage_seconds',
  searchDegraded: 'cairn_search_degraded_total',
  oplogAppendSeconds: 'cairn_oplog_append_seconds',
  oplogAppends: 'cairn_oplog_append_total',
  projectionCheckpoint: 'cairn_projection_checkpoint',
  projectionLastSuccess: 'cairn_projection_last_success_timestamp_seconds',
  embeddingBacklogOps: 'cairn_embedding_backlog_ops',
  embeddingSeconds: 'cairn_embedding_seconds',
  embeddingFailures: 'cairn_embedding_failures_total',
} as const;
