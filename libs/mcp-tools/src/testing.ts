/** Test support of @cairn/mcp-tools: for specs of this and other projects, never compiled. */
export { describeCairn } from './cairn.contract.js';
export { InMemoryCairn } from './cairn.fake.js';
export { InMemoryPages } from './page.fake.js';
