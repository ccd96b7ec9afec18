/** The name and version that Cairn reports to MCP clients. */
export const SERVER_INFO = { name: 'cairn', title: 'Cairn', version: '0.1.0' } as const;
