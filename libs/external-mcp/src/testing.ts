/** For specs of other projects: a real MCP server of any era on this machine. */
export { startStubServer, textTool, type StubOptions, type StubServer, type StubTool } from './stub-server.harness.js';
