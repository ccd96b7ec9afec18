// The form of a request, over MCP and REST.

export const BODY_BYTES_MAX = 1_048_576;
export const JSON_DEPTH_MAX = 32;
export const JSON_NODES_MAX = 50_000;
export const BATCH_MESSAGES_MAX = 20;
export const REQUEST_ID_CHARS_MAX = 256;
/** The name of a method, a tool, a resource or a protocol version in an MCP message or its headers. */
export const MCP_NAME_CHARS_MAX = 512;
/** A tool argument that should be an array or an object and arrives as JSON text. */
export const JSON_ARGUMENT_CHARS_MAX = 65_536;
/** The longest meaningful time: to the nanosecond with an offset, `2027-01-31T12:00:00.123456789+01:00`. */
export const ISO_TIME_CHARS_MAX = 35;
/** How long a `clientToken` identifies the call that used it first. */
export const CLIENT_TOKEN_LIFE_MS = 60_000;
/** How many faults of one input a refusal names; it counts the others. */
export const FAULTS_SHOWN_MAX = 10;
/** How much of a caller's value an error repeats. */
export const ECHO_CHARS_MAX = 64;
