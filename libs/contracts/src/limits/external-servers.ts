// External MCP servers of a workspace, as they are registered.

export const SERVERS_PER_WORKSPACE_MAX = 16;
export const SERVER_NAME_CHARS_MAX = 24;
export const SERVER_URL_CHARS_MAX = 2_000;
export const SERVER_CREDENTIAL_CHARS_MAX = 4_096;
export const SERVER_HEADER_NAME_CHARS_MAX = 64;
/** If a server has more tools, the first ones by name are listed. */
export const SERVER_TOOLS_MAX = 64;
export const SERVER_TOOL_NAME_CHARS_MAX = 128;
