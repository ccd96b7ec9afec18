/** Every bound has a name here, so that an error, a schema and a test use the same number. */
export const TITLE_CHARS_MAX = 200;
export const KNOWLEDGE_BODY_CHARS_MAX = 32_000;
export const ITEM_TITLE_CHARS_MAX = 500;
/** The length of a title that is derived from the beginning of the text. */
export const DERIVED_TITLE_CHARS_MAX = 80;
export const ITEM_TEXT_CHARS_MAX = 500_000;
/** The text of `remember` must fit one op, in case it has to wait for a person's decision. */
export const MEMORY_TEXT_CHARS_MAX = 100_000;
export const MEMORY_LABEL_CHARS_MAX = 200;
/** How long a text waits for a person to decide where it belongs, and how many may wait in a workspace. */
export const CONFIRMATION_LIFE_MS = 24 * 60 * 60_000;
export const CONFIRMATIONS_PENDING_MAX = 100;
/** How long a discarded text can be restored. It is erased at this time, or when it expires, whichever comes first. */
export const CONFIRMATION_UNDO_MS = 10 * 60_000;
/** The part of a waiting text that is shown to the person who decides. */
export const CONFIRMATION_PREVIEW_CHARS = 400;
export const TAGS_MAX = 16;
export const TAG_CHARS_MAX = 64;
export const QUERY_CHARS_MAX = 2_000;
/** The length of a claim, and how many chunks are read to weigh it. */
export const CLAIM_CHARS_MAX = 1_000;
export const CLAIM_LIMIT_MAX = 20;
export const CLAIM_LIMIT_DEFAULT = 8;
/** Distinct words of a query that the keyword legs search for: the first ones; the vector leg reads the whole query. */
export const QUERY_TERMS_MAX = 128;
/** The longest meaningful time: to the nanosecond with an offset, `2027-01-31T12:00:00.123456789+01:00`. */
export const ISO_TIME_CHARS_MAX = 35;
/** A tool argument that should be an array or an object and arrives as JSON text. */
export const JSON_ARGUMENT_CHARS_MAX = 65_536;
/** How many faults of one input a refusal names; it counts the others. */
export const FAULTS_SHOWN_MAX = 10;
export const NAME_CHARS_MAX = 120;
export const SLUG_CHARS_MAX = 64;
export const README_CHARS_MAX = 8_000;
export const SOURCE_NAME_CHARS_MAX = 500;
/** The id of an item, or its URI as Cairn issues it. */
export const ITEM_REFERENCE_CHARS_MAX = 64;
export const SOURCE_URI_CHARS_MAX = 2_000;
export const TASK_ID_CHARS_MAX = 128;
export const FOLDERS_PER_TOKEN_MAX = 100;
export const RATE_PER_HOUR_MAX = 1_000_000;
export const RATE_PER_HOUR_DEFAULT = 1_000;
/** Requests below /api/v1 per token, counted separately from tool calls. Admin tokens have no cap by default. */
export const REST_PER_HOUR_DEFAULT = 36_000;
export const ADD_TO_KNOWLEDGE_PER_HOUR_MAX = 60;
export const TOKENS_PER_RECALL_MAX = 100_000;
/** A higher quota would be no limit in practice: use `null` instead. */
export const QUOTA_LIMIT_MAX = 1_000_000_000;
/** The SDKs refuse a token without an expiry, so a token that is issued without one gets this lifetime. */
export const TOKEN_LIFE_DAYS_DEFAULT = 365;
/** The one-time code in the link that is printed at startup: how long it is valid, and how long a guess may be. */
export const SIGN_IN_CODE_LIFE_MS = 15 * 60_000;
export const SIGN_IN_CODE_CHARS_MAX = 64;
/** Tokens with open streams that one request checks. */
export const TOKENS_PER_CHECK_MAX = 1_000;

/** External MCP servers of a workspace, and limits for each of them. */
export const SERVERS_PER_WORKSPACE_MAX = 16;
export const SERVER_NAME_CHARS_MAX = 24;
export const SERVER_URL_CHARS_MAX = 2_000;
export const SERVER_CREDENTIAL_CHARS_MAX = 4_096;
export const SERVER_HEADER_NAME_CHARS_MAX = 64;
/** If a server has more tools, the first ones by name are listed. */
export const SERVER_TOOLS_MAX = 64;
export const SERVER_TOOL_NAME_CHARS_MAX = 128;
/** `<server>__<tool>`; a longer name is cut and ends with a part of its hash. */
export const EXTERNAL_NAME_CHARS_MAX = 64;
export const EXTERNAL_DESCRIPTION_CHARS_MAX = 1_024;
export const EXTERNAL_SCHEMA_BYTES_MAX = 16_384;
export const EXTERNAL_SCHEMA_DEPTH_MAX = 8;
export const EXTERNAL_LIST_BYTES_MAX = 524_288;
export const EXTERNAL_LIST_PAGES_MAX = 8;
/** The time limit of a discovery, and how long a listing waits for one; after that, the listing omits the server. */
export const EXTERNAL_DISCOVERY_MS_MAX = 10_000;
export const EXTERNAL_LISTING_WAIT_MS = 3_000;
/** How long a gateway keeps a discovery, and the decrypted credentials of a workspace, in memory. */
export const EXTERNAL_CATALOGUE_MS = 60_000;
export const EXTERNAL_CALL_MS_MAX = 30_000;
export const EXTERNAL_RESULT_BYTES_MAX = 262_144;
export const EXTERNAL_IMAGE_BYTES_MAX = 1_048_576;
/** A connection to a server is closed after this time without use. */
export const EXTERNAL_IDLE_MS_MAX = 300_000;
/** Calls of one workspace that wait for external servers at the same time. */
export const EXTERNAL_CALLS_IN_FLIGHT_PER_WORKSPACE = 8;

export const PAGE_LIMIT_DEFAULT = 20;
export const PAGE_LIMIT_MAX = 100;
export const CURSOR_CHARS_MAX = 200;

export const KB_SEARCH_LIMIT_DEFAULT = 8;
export const KB_SEARCH_LIMIT_MAX = 20;
export const KNOWLEDGE_SEARCH_LIMIT_DEFAULT = 10;
export const KNOWLEDGE_SEARCH_LIMIT_MAX = 50;
export const EF_SEARCH_DEFAULT = 64;
export const EF_SEARCH_MAX = 200;
export const RECALL_TOP_K_DEFAULT = 8;
export const RECALL_TOP_K_MAX = 32;
export const RECALL_MIN_SCORE_DEFAULT = 0.3;
/** Names in the argument `graphs` of `recall`. */
export const GRAPHS_PER_RECALL_MAX = 100;
/** How many tokens a folder without its own cap may contribute to one `recall`; a sensitive folder contributes none. */
export const TOKENS_PER_RECALL_PUBLIC = 4_000;
export const TOKENS_PER_RECALL_PERSONAL = 2_000;
export const TOKENS_PER_RECALL_SENSITIVE = 0;
/** Folders that one answer of `stats` lists, by slug. */
export const STATS_GRAPHS_MAX = 1_000;
/** The length of a folder's readme in that answer, and of all its readmes together. */
export const STATS_README_CHARS_MAX = 500;
export const STATS_READMES_CHARS_MAX = 20_000;
/** Limits of `carabase_search_semantic` and `carabase_query_metadata`. */
export const SEMANTIC_K_DEFAULT = 10;
export const SEMANTIC_K_MAX = 50;
export const SEMANTIC_MIN_SIMILARITY_DEFAULT = 0.3;
export const METADATA_LIMIT_DEFAULT = 20;
export const METADATA_LIMIT_MAX = 100;
/** How many items a structured query counts, and how many it decrypts to read sealed tags and names. */
export const METADATA_TOTAL_MAX = 1_000;
export const METADATA_OPENED_MAX = 20_000;
/** Limits for the metadata and sources that an agent attaches to a commit. */
export const EXTRA_METADATA_BYTES_MAX = 16_384;
export const COMMIT_SOURCES_MAX = 64;
/**
 * How many candidates each leg returns before fusion. With fewer, an item that ranks well in both legs can be missed.
 */
export const LEG_CANDIDATES = 100;
export const SNIPPET_CHARS = 240;

export const CHUNK_TOKENS_TARGET = 400;
export const CHUNK_TOKENS_MAX = 480;
/** A chunk is also bounded in characters, however many tokens they make. */
export const CHUNK_CHARS_MAX = 6 * CHUNK_TOKENS_MAX;
/** In a text with more pages, pages share chunks: each chunk costs a key and a vector, and a page may be one letter. */
export const PAGES_APART_MAX = 2_000;
/**
 * Chunks per op. The bound keeps an op far below the broker's payload limit; longer texts continue in `item.extended`.
 */
export const CHUNKS_PER_OP_MAX = 64;

/** Items whose replacement changes by one supersession; its op names all of them. */
export const SUPERSEDED_TOGETHER_MAX = 5_000;

/** The size of a file that an agent attaches to its run. */
export const ATTACHED_FILE_BYTES_MAX = 10_485_760;
/** Links that one request adds; one op names all of them. */
export const LINKS_PER_CALL_MAX = 500;
/** A walk over links: its starting points, its depth, the size of its answer, and how many links it reads. */
export const WALK_ANCHORS_MAX = 16;
export const WALK_DEPTH_DEFAULT = 2;
export const WALK_DEPTH_MAX = 3;
export const WALK_LIMIT_DEFAULT = 10;
export const WALK_LIMIT_MAX = 50;
export const LINKS_WALKED_MAX = 20_000;
/** The time limit for computing the rank of one walk. */
export const WALK_MS_MAX = 250;
/** How many item ids in the text of one chunk become links: the first ones. */
export const TEXT_LINKS_PER_CHUNK_MAX = 64;
/** The length of a name in the graph, and of a query for one. */
export const ENTITY_NAME_CHARS_MAX = 80;
export const ENTITY_QUERY_CHARS_MAX = 200;
export const PREDICATE_CHARS_MAX = 64;
/** Edges that one request states, and the length of the text that it may bring as their evidence. */
export const EDGES_PER_CALL_MAX = 64;
export const EVIDENCE_TEXT_CHARS_MAX = 2_000;
/** Edges of one chunk in one op; each has two names. */
export const FINDINGS_PER_CHUNK_MAX = 64;
/** The highest confidence of an agent's own statement: only a person is certain. */
export const AGENT_CONFIDENCE_MAX = 0.95;
export const AGENT_CONFIDENCE_DEFAULT = 0.8;
/** Of an item with text written by an agent, in percent: the weight of an agent's knowledge. */
export const AGENT_ITEM_CONFIDENCE = 80;
/** Chunks that a merge names for each of its two names; the merge stays valid while one chunk of each is left. */
export const MERGE_ANCHORS_MAX = 4;
/** Chunks that state the same edge and get the same verdict in one command; also those that an edge is shown with. */
export const REVIEWED_TOGETHER_MAX = 100;
/** A walk over the graph: hops, edges per node, and the size of the whole answer. */
export const GRAPH_DEPTH_MAX = 3;
export const GRAPH_EDGES_PER_NODE_MAX = 50;
export const GRAPH_NODES_MAX = 200;
export const GRAPH_EDGES_MAX = 400;
/** Passages shown as the evidence of an edge. */
export const EVIDENCE_SHOWN_MAX = 3;
/** Mentions of one name that are counted. */
export const MENTIONS_READ_MAX = 1_000;
/** The newest mentions of a name, whose most frequent form and type are shown for it. */
export const MENTIONS_NAMING_MAX = 3;
export const ENTITIES_FOUND_MAX = 20;
export const NEAR_NAMES_MAX = 8;
/** Limits of an entity's own page. */
export const ENTITY_ITEMS_MAX = 20;
/** Names that are compared with each other. */
export const NAMES_COMPARED_MAX = 20_000;
/** Names of a workspace that are compared with a misspelt one. */
export const SPELLINGS_COMPARED_MAX = 200_000;
/** Mentions that the page of an item lists. */
export const ITEM_MENTIONS_MAX = 100;
/** Entries of one kind that the review inbox works on, the newest ones. */
export const REVIEW_ENTRIES_MAX = 1_000;

/** How long the instruction to `correct` may be, and how long its proposal can be applied. */
export const CORRECTION_INSTRUCTION_CHARS_MAX = 2_000;
export const CORRECTION_LIFE_MS = 10 * 60_000;
/** How long an expired proposal is still reported as expired; after that it is not found. */
export const CORRECTION_KEPT_MS = CORRECTION_LIFE_MS + 5 * 60_000;
/** The disk space on the broker for all proposals that wait to be applied. */
export const CORRECTIONS_BYTES_MAX = 268_435_456;
/** A request to a model for a correction: its time, the size of the answer, and how many calls may wait. */
export const CORRECTION_MODEL_TIMEOUT_MS = 30_000;
export const CORRECTION_ANSWER_BYTES_MAX = 262_144;
export const CORRECTIONS_IN_FLIGHT_PER_WORKSPACE = 4;
/** How long `apply` waits for the vector of the new text before it reports that there is none yet. */
export const CORRECTION_VECTOR_WAIT_MS = 3_000;

/** How long a `clientToken` identifies the call that used it first. */
export const CLIENT_TOKEN_LIFE_MS = 60_000;

export const BODY_BYTES_MAX = 1_048_576;
export const JSON_DEPTH_MAX = 32;
export const JSON_NODES_MAX = 50_000;
export const REQUEST_ID_CHARS_MAX = 256;
/** The name of a method, a tool, a resource or a protocol version in an MCP message or its headers. */
export const MCP_NAME_CHARS_MAX = 512;
/** How much of a caller's value an error repeats. */
export const ECHO_CHARS_MAX = 64;
export const BATCH_MESSAGES_MAX = 20;

/** Time limits for a peer. Headers must be complete by this time; Node checks once a second. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** The longest pause within a body; after its first minute, a body must have arrived at this average rate. */
export const BODY_IDLE_MS_MAX = 15_000;
export const BODY_GRACE_MS = 60_000;
export const PEER_BYTES_PER_SEC_MIN = 4_096;
/**
 * The time for a whole body from a sender without a token, and for the rest of a body after its request was answered.
 */
export const ANONYMOUS_BODY_MS_MAX = 10_000;
export const REFUSED_BODY_MS_MAX = 5_000;

/** Open streams of all kinds together; a stream whose reader leaves more than this unread is closed. */
export const STREAMS_PER_TOKEN_MAX = 5;
export const STREAM_UNREAD_BYTES_MAX = 4_194_304;

/** `add_to_knowledge`: a shorter text is more likely a slip than knowledge. */
export const ADDED_TEXT_CHARS_MIN = 20;

/** External pages, fetched for `add_to_knowledge`. The bytes are limited twice: as they arrive and unpacked. */
export const FETCH_BYTES_MAX = 2_097_152;
export const FETCH_REDIRECTS_MAX = 3;
export const FETCH_CONNECT_TIMEOUT_MS = 5_000;
export const FETCH_TIMEOUT_MS = 15_000;
export const FETCHES_IN_FLIGHT_PER_WORKSPACE = 4;

/** Files for `POST /items`. */
export const FILE_BYTES_MAX = 20_971_520;
/** The form around a file: its fields, and its total size. */
export const FORM_FIELDS_MAX = 32;
export const FORM_FIELD_BYTES_MAX = 16_384;
export const FORM_BYTES_MAX = FILE_BYTES_MAX + BODY_BYTES_MAX;
/** Memory of a gateway for all uploads in flight. */
export const UPLOADS_HELD_BYTES_MAX = 8 * FILE_BYTES_MAX;

/** Items of one `POST /items:batch`. */
export const BATCH_ITEMS_MAX = 100;
/**
 * Items of batches that a gateway stores at once, in total and for one workspace, and those that may wait for it. The
 * rest of the commands in flight of a workspace stays free for single requests.
 */
export const BATCH_ITEMS_IN_FLIGHT_MAX = 192;
export const BATCH_ITEMS_IN_FLIGHT_PER_WORKSPACE = 48;
export const BATCH_ITEMS_WAITING_MAX = 6_400;
export const BATCH_ITEMS_WAITING_PER_WORKSPACE = 1_600;

/** What one file may cost a parser, which is a separate process (ADR 0019). */
export const FILE_PARSE_MS_MAX = 20_000;
export const FILE_PARSE_HEAP_MIB = 512;
export const FILE_PARSE_MEMORY_BYTES_MAX = 805_306_368;
/** The parts of a .docx, unpacked, in total. */
export const FILE_INFLATED_BYTES_MAX = 67_108_864;
export const FILE_JSON_DEPTH_MAX = 100;
/** Parsers per process, and files that may wait for one. No token or workspace may take all of either (ADR 0052). */
export const FILE_PARSERS_MAX = 4;
export const FILE_PARSERS_PER_WORKSPACE_MAX = 3;
export const FILE_PARSERS_PER_TOKEN_MAX = 2;
export const FILES_WAITING_MAX = 64;
export const FILES_WAITING_PER_WORKSPACE_MAX = 32;
export const FILES_WAITING_PER_TOKEN_MAX = 16;

export const COMMANDS_IN_FLIGHT_PER_WORKSPACE = 64;
export const QUERIES_IN_FLIGHT_PER_WORKSPACE = 64;
export const COMMAND_TIMEOUT_MS = 15_000;
/** The timeout of `chunk.propose`, which may have to wait for a model. */
export const PROPOSE_TIMEOUT_MS = CORRECTION_MODEL_TIMEOUT_MS + 5_000;
export const QUERY_TIMEOUT_MS = 10_000;
/** One statement of a search, in Postgres, PGlite or OpenSearch, is aborted after this time. */
export const SEARCH_STATEMENT_MS_MAX = 3_000;
/**
 * Connections of a search process for search statements, and so the number of statements that run at once; a workspace
 * may use all but one. The embedded database runs one statement at a time: statements that wait inside it can no longer
 * be reordered.
 */
export const SEARCH_CONNECTIONS = 8;
export const SEARCH_CONNECTIONS_EMBEDDED = 4;
/** How long a read with `atLeast` waits for its projection before it answers `stale: true`. */
export const AT_LEAST_WAIT_MS = 1_000;
/**
 * How long a command that adds, changes or removes an item waits for the keyword index before it is answered without
 * it.
 */
export const KEYWORD_INDEX_WAIT_MS = 2_000;
export const EMBED_QUERY_TIMEOUT_MS = 3_000;

/** Of the default model, and of the vectors in tests. Another model may have another number, up to the maximum. */
export const VECTOR_DIMENSIONS = 384;
export const VECTOR_DIMENSIONS_MAX = 4_096;

/** How much larger a list of vectors in memory is made when it is full. */
export const RESIDENT_GROWTH = 1.125;
const UUID_BYTES = 16;

/** The memory that search needs for vectors: a byte per dimension and the chunk's id, with room to grow. */
export const residentBytes = (count: number, dimensions: number): number =>
  Math.ceil(count * (dimensions + UUID_BYTES) * RESIDENT_GROWTH);

/** Ops that one `item.forgotten` names as erased; further ops name the rest. */
export const ERASED_PER_OP_MAX = 1_000;
/** How long a forgotten text may remain in keys, messages and rows, and on the disk below them. */
export const FORGOTTEN_SHREDDED_MS_MAX = 60_000;
export const FORGOTTEN_PURGED_MS_MAX = 24 * 60 * 60_000;
/** How long a process may keep a key in memory after creating it. */
export const KEY_IN_MEMORY_MS_MAX = 30_000;

/** Accounts of one workspace, and limits for each of them. */
export const ACCOUNTS_PER_WORKSPACE_MAX = 100;
export const CONNECTOR_ID_CHARS_MAX = 24;
export const CREDENTIAL_CHARS_MAX = 4_096;
export const ACCOUNT_SETTINGS_CHARS_MAX = 65_536;
/** Limits for a source's name for a document and its version, and for the settings of an account. */
export const EXTERNAL_REF_CHARS_MAX = 2_000;
export const EXTERNAL_VERSION_CHARS_MAX = 200;
export const ACCOUNT_URLS_MAX = 1_000;
export const ACCOUNT_PATH_CHARS_MAX = 4_096;
/** Documents that one `POST /accounts/{id}/sync` stores, those that are read at once, and failures that it names. */
export const SYNC_ENTRIES_MAX = 1_000;
/** Documents of a source that one call looks at; the next one continues after them. */
export const SYNC_LISTED_MAX = 20_000;
/** The cursor of a sync: a source's name for a document, three bytes per character, in base64. */
export const SYNC_CURSOR_CHARS_MAX = 4 * EXTERNAL_REF_CHARS_MAX;
/** Earlier states of a document that lead straight to the newest one after a change; older ones lead to it in steps. */
export const SYNC_SUPERSEDED_MAX = 100;
export const SYNC_IN_FLIGHT_MAX = 4;
export const SYNC_FAILURES_SHOWN_MAX = 20;

/** The size to which a text fetched from its source is compacted, and the limit that an account may set for one. */
export const MESH_TEXT_TOKENS_MAX = 4_000;
export const MESH_BATCH_TOKENS_DEFAULT = 4_000;
export const MESH_BATCH_TOKENS_MAX = 1_000_000;
/** Tokens that a workspace may fetch in a UTC day, unless its quota sets another limit. */
export const MESH_DAILY_TOKENS_DEFAULT = 200_000;
export const MESH_TIMEOUT_MS = 15_000;
export const MESH_BYTES_MAX = 2_097_152;
/** Per workspace and gateway process. */
export const MESH_IN_FLIGHT_PER_WORKSPACE = 2;
export const MESH_URI_CHARS_MAX = 2_000;
export const MESH_TOKEN_CHARS_MAX = 512;
/** How long a person's confirmation of one fetch can be used. */
export const MESH_CONFIRMATION_LIFE_MS = 15 * 60_000;
/** The summary that replaces the text of a hollow item. */
export const HOLLOW_TOKENS_MAX = 200;
/**
 * Rows of a file of observations, of one command, and of one chunk of an item, and the lengths of a row's id and
 * category.
 */
export const SERIES_FILE_ROWS_MAX = 200_000;
export const SERIES_FILE_COLUMNS_MAX = 256;
export const OBSERVATIONS_PER_IMPORT_MAX = 5_000;
export const OBSERVATIONS_PER_CHUNK_MAX = 12;
export const OBSERVATION_ID_CHARS_MAX = 128;
export const OBSERVATION_CATEGORY_CHARS_MAX = 120;
/** A metric is stored with six decimals; above this bound a sum would lose digits. */
export const OBSERVATION_METRIC_MAX = 1_000_000_000;
/** Batches that one purge command forgets; a longer purge takes several commands, each covering whole months. */
export const PURGED_BATCHES_PER_COMMAND_MAX = 64;
export const SERIES_RANGE_YEARS_MAX = 10;
export const SERIES_BUCKETS_MAX = 4_000;
export const SERIES_NAME_CHARS_MAX = 64;
