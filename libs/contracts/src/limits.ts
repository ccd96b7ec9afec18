/** Every bound has a name here, so that an error, a schema and a test speak of the same number. */
export const TITLE_CHARS_MAX = 200;
export const KNOWLEDGE_BODY_CHARS_MAX = 32_000;
export const ITEM_TITLE_CHARS_MAX = 500;
/** Of a title that is taken from the beginning of the text. */
export const DERIVED_TITLE_CHARS_MAX = 80;
export const ITEM_TEXT_CHARS_MAX = 500_000;
/** Of `remember`: it must fit one op, in case it has to wait for a person's decision. */
export const MEMORY_TEXT_CHARS_MAX = 100_000;
export const MEMORY_LABEL_CHARS_MAX = 200;
/** How long a text waits for a person to say where it belongs, and how many may wait in a workspace. */
export const CONFIRMATION_LIFE_MS = 24 * 60 * 60_000;
export const CONFIRMATIONS_PENDING_MAX = 100;
/** How long a discarded text can be restored. It is erased then, or when it expires, whichever comes first. */
export const CONFIRMATION_UNDO_MS = 10 * 60_000;
/** Of a waiting text, shown to the person who decides. */
export const CONFIRMATION_PREVIEW_CHARS = 400;
export const TAGS_MAX = 16;
export const TAG_CHARS_MAX = 64;
export const QUERY_CHARS_MAX = 2_000;
/** Distinct words of a query that the keyword legs look for: the first ones; the vector leg reads the whole query. */
export const QUERY_TERMS_MAX = 128;
/** A time to the nanosecond with an offset, `2027-01-31T12:00:00.123456789+01:00`, is the longest that means something. */
export const ISO_TIME_CHARS_MAX = 35;
/** An argument of a tool that should be an array or an object and comes as the JSON text of one. */
export const JSON_ARGUMENT_CHARS_MAX = 65_536;
/** Faults of one input that a refusal names; it counts the others. */
export const FAULTS_SHOWN_MAX = 10;
export const NAME_CHARS_MAX = 120;
export const SLUG_CHARS_MAX = 64;
export const README_CHARS_MAX = 8_000;
export const SOURCE_NAME_CHARS_MAX = 500;
/** The id of an item, or its URI as Cairn hands it out. */
export const ITEM_REFERENCE_CHARS_MAX = 64;
export const SOURCE_URI_CHARS_MAX = 2_000;
export const TASK_ID_CHARS_MAX = 128;
export const FOLDERS_PER_TOKEN_MAX = 100;
export const RATE_PER_HOUR_MAX = 1_000_000;
export const RATE_PER_HOUR_DEFAULT = 1_000;
/** Requests below /api/v1 per token, counted apart from tool calls. Admin tokens have no such cap. */
export const REST_REQUESTS_PER_HOUR_MAX = 36_000;
export const ADD_TO_KNOWLEDGE_PER_HOUR_MAX = 60;
export const TOKENS_PER_RECALL_MAX = 100_000;
/** Above this a quota is none: give `null` instead. */
export const QUOTA_LIMIT_MAX = 1_000_000_000;
/** The SDKs refuse a token without an expiry, so one that was issued without gets this life. */
export const TOKEN_LIFE_DAYS_DEFAULT = 365;
/** The one-time code in the link that a start prints: how long it is valid, and how long a guess may be. */
export const SIGN_IN_CODE_LIFE_MS = 15 * 60_000;
export const SIGN_IN_CODE_CHARS_MAX = 64;
/** Tokens with open streams that one question asks about. */
export const TOKENS_PER_CHECK_MAX = 1_000;

/** External MCP servers of a workspace, and what is taken from one of them. */
export const SERVERS_PER_WORKSPACE_MAX = 16;
export const SERVER_NAME_CHARS_MAX = 24;
export const SERVER_URL_CHARS_MAX = 2_000;
export const SERVER_CREDENTIAL_CHARS_MAX = 4_096;
export const SERVER_HEADER_NAME_CHARS_MAX = 64;
/** Of more tools the first ones by name are listed. */
export const SERVER_TOOLS_MAX = 64;
export const SERVER_TOOL_NAME_CHARS_MAX = 128;
/** `<server>__<tool>`; a longer one is cut and ends with a part of its hash. */
export const EXTERNAL_NAME_CHARS_MAX = 64;
export const EXTERNAL_DESCRIPTION_CHARS_MAX = 1_024;
export const EXTERNAL_SCHEMA_BYTES_MAX = 16_384;
export const EXTERNAL_SCHEMA_DEPTH_MAX = 8;
export const EXTERNAL_LIST_BYTES_MAX = 524_288;
export const EXTERNAL_LIST_PAGES_MAX = 8;
/** A discovery, of which a listing awaits no more than the second; then the server is left out of that listing. */
export const EXTERNAL_DISCOVERY_MS_MAX = 10_000;
export const EXTERNAL_LISTING_WAIT_MS = 3_000;
/** How long a discovery, and the opened credentials of a workspace, are kept in the memory of a gateway. */
export const EXTERNAL_CATALOGUE_MS = 60_000;
export const EXTERNAL_CALL_MS_MAX = 30_000;
export const EXTERNAL_RESULT_BYTES_MAX = 262_144;
export const EXTERNAL_IMAGE_BYTES_MAX = 1_048_576;
/** A connection to a server that no one has used for so long is closed. */
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
/** What a folder without a cap of its own may give to one `recall`; a sensitive one gives nothing. */
export const TOKENS_PER_RECALL_PUBLIC = 4_000;
export const TOKENS_PER_RECALL_PERSONAL = 2_000;
export const TOKENS_PER_RECALL_SENSITIVE = 0;
/** Folders that one answer of `stats` lists, by slug. */
export const STATS_GRAPHS_MAX = 1_000;
/** Of a folder's readme there, and of all readmes of one answer together. */
export const STATS_README_CHARS_MAX = 500;
export const STATS_READMES_CHARS_MAX = 20_000;
/** How many candidates each leg returns before fusion. With fewer, an item that is good in both legs can be missed. */
export const LEG_CANDIDATES = 100;
export const SNIPPET_CHARS = 240;

export const CHUNK_TOKENS_TARGET = 400;
export const CHUNK_TOKENS_MAX = 480;
/** A chunk is bounded in characters too, whatever they count in tokens. */
export const CHUNK_CHARS_MAX = 6 * CHUNK_TOKENS_MAX;
/** Where a text has more pages, they share chunks: each chunk costs a key and a vector, and a page may be one letter. */
export const PAGES_APART_MAX = 2_000;
/** Chunks per op: keeps an op far below the broker's payload limit; longer texts continue in `item.extended`. */
export const CHUNKS_PER_OP_MAX = 64;

/** Entries whose replacement changes by one supersession: all of them are named in its op. */
export const SUPERSEDED_TOGETHER_MAX = 5_000;

/** How long the instruction to `correct` may be, and how long its proposal can be applied. */
export const CORRECTION_INSTRUCTION_CHARS_MAX = 2_000;
export const CORRECTION_LIFE_MS = 10 * 60_000;
/** How much longer an expired proposal is reported as expired; after that it is not found. */
export const CORRECTION_KEPT_MS = CORRECTION_LIFE_MS + 5 * 60_000;
/** What all proposals that wait to be applied may take on the broker's disk. */
export const CORRECTIONS_BYTES_MAX = 268_435_456;
/** A model that is asked for a correction: its time, what is read of its answer, and how many calls wait for one. */
export const CORRECTION_MODEL_TIMEOUT_MS = 30_000;
export const CORRECTION_ANSWER_BYTES_MAX = 262_144;
export const CORRECTIONS_IN_FLIGHT_PER_WORKSPACE = 4;
/** How long `apply` waits for the vector of the new text before it says that there is none yet. */
export const CORRECTION_VECTOR_WAIT_MS = 3_000;

/** How long a `clientToken` stands for the call that it came with first. */
export const CLIENT_TOKEN_LIFE_MS = 60_000;

export const BODY_BYTES_MAX = 1_048_576;
export const JSON_DEPTH_MAX = 32;
export const JSON_NODES_MAX = 50_000;
export const REQUEST_ID_CHARS_MAX = 256;
/** A method, a tool, a resource or a protocol version, as an MCP message or its headers name it. */
export const MCP_NAME_CHARS_MAX = 512;
/** As much of a caller's value as an error repeats. */
export const ECHO_CHARS_MAX = 64;
export const BATCH_MESSAGES_MAX = 20;

/** How long a peer may take. Headers are complete by then; Node looks once a second. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** A body may pause for so long, and after its first minute it must have come at this rate on average. */
export const BODY_IDLE_MS_MAX = 15_000;
export const BODY_GRACE_MS = 60_000;
export const PEER_BYTES_PER_SEC_MIN = 4_096;
/** A whole body from a sender without a token, and what is left of a body after its request was answered. */
export const ANONYMOUS_BODY_MS_MAX = 10_000;
export const REFUSED_BODY_MS_MAX = 5_000;

/** Answers that stay open, of all kinds together; one whose reader leaves more than this unread is closed. */
export const STREAMS_PER_TOKEN_MAX = 5;
export const STREAM_UNREAD_BYTES_MAX = 4_194_304;

/** `add_to_knowledge`: a text below this is more likely a slip than knowledge. */
export const ADDED_TEXT_CHARS_MIN = 20;

/** Pages of others, fetched for `add_to_knowledge`. The bytes count twice: as they arrive and unpacked. */
export const FETCH_BYTES_MAX = 2_097_152;
export const FETCH_REDIRECTS_MAX = 3;
export const FETCH_CONNECT_TIMEOUT_MS = 5_000;
export const FETCH_TIMEOUT_MS = 15_000;
export const FETCHES_IN_FLIGHT_PER_WORKSPACE = 4;

/** Files for `POST /items`. */
export const FILE_BYTES_MAX = 20_971_520;
/** A form around a file: its fields, and the whole of it. */
export const FORM_FIELDS_MAX = 32;
export const FORM_FIELD_BYTES_MAX = 16_384;
export const FORM_BYTES_MAX = FILE_BYTES_MAX + BODY_BYTES_MAX;
/** What all uploads in flight may hold in the memory of a gateway. */
export const UPLOADS_HELD_BYTES_MAX = 8 * FILE_BYTES_MAX;

/** What reading one file may cost a parser, which is a process of its own (ADR 0019). */
export const FILE_PARSE_MS_MAX = 20_000;
export const FILE_PARSE_HEAP_MIB = 512;
export const FILE_PARSE_MEMORY_BYTES_MAX = 805_306_368;
/** Parts of a .docx unpacked, all together. */
export const FILE_INFLATED_BYTES_MAX = 67_108_864;
export const FILE_JSON_DEPTH_MAX = 100;
/** Parsers per process, and files that may wait for one. No token and no workspace has all of either (ADR 0052). */
export const FILE_PARSERS_MAX = 4;
export const FILE_PARSERS_PER_WORKSPACE_MAX = 3;
export const FILE_PARSERS_PER_TOKEN_MAX = 2;
export const FILES_WAITING_MAX = 64;
export const FILES_WAITING_PER_WORKSPACE_MAX = 32;
export const FILES_WAITING_PER_TOKEN_MAX = 16;

export const COMMANDS_IN_FLIGHT_PER_WORKSPACE = 64;
export const QUERIES_IN_FLIGHT_PER_WORKSPACE = 64;
export const COMMAND_TIMEOUT_MS = 15_000;
/** Of `chunk.propose`, behind which a model may think. */
export const PROPOSE_TIMEOUT_MS = CORRECTION_MODEL_TIMEOUT_MS + 5_000;
export const QUERY_TIMEOUT_MS = 10_000;
/** One statement of a search, in Postgres, PGlite or OpenSearch: then it is ended. */
export const SEARCH_STATEMENT_MS_MAX = 3_000;
/**
 * Connections of a search process for the statements of searches, so many of which run at once; a workspace may have all
 * but one. The embedded database runs one statement at a time: what waits inside it can no longer be put in order.
 */
export const SEARCH_CONNECTIONS = 8;
export const SEARCH_CONNECTIONS_EMBEDDED = 4;
/** How long a read with `atLeast` waits for its projection before it answers `stale: true`. */
export const AT_LEAST_WAIT_MS = 1_000;
/** How long a command that changes what exists waits for the keyword index; then it is answered without. */
export const KEYWORD_INDEX_WAIT_MS = 2_000;
export const EMBED_QUERY_TIMEOUT_MS = 3_000;

/** Every model in use has this many dimensions; another number needs a new version of the `vectors` projection. */
export const VECTOR_DIMENSIONS = 384;

/** Ops that one `item.forgotten` names as erased; further ones are named by further ops. */
export const ERASED_PER_OP_MAX = 1_000;
/** How long a forgotten text may still lie in keys, messages and rows, and on the disk below them. */
export const FORGOTTEN_SHREDDED_MS_MAX = 60_000;
export const FORGOTTEN_PURGED_MS_MAX = 24 * 60 * 60_000;
/** How long a process may keep a key in memory after it was made. */
export const KEY_IN_MEMORY_MS_MAX = 30_000;
