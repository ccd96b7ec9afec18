// What one file may cost a parser, which is a separate process (ADR 0019).

export const FILE_PARSE_MS_MAX = 20_000;
export const FILE_PARSE_HEAP_MIB = 256;
/** Resident memory, checked every few milliseconds; this much more may be in use before the parser is stopped. */
export const FILE_PARSE_MEMORY_BYTES_MAX = 402_653_184;
export const FILE_PARSE_OVERSHOOT_BYTES = 33_554_432;
/** The memory of a gateway in addition to its heap, its uploads and its parsers: the runtime, and files on their way. */
export const GATEWAY_NATIVE_BYTES = 268_435_456;
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
