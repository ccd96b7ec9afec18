import { z } from 'zod';

/**
 * Where an answer will be shown: `mcp` hides sensitive folders, because no MCP tool may return or name anything in them.
 * The default is `mcp`, which shows less.
 */
export const Surface = z.enum(['mcp', 'rest']);
export type Surface = z.infer<typeof Surface>;
