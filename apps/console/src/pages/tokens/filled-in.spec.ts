import { describe, expect, it } from '@jest/globals';
import { filledIn } from './filled-in.js';

describe('the text that connects a client', () => {
  it('gets address and token in all of their places, and keeps what looks like a pattern', () => {
    const address = { mcpUrl: 'https://cairn.example.com/mcp', token: 'cairn_$&' };
    expect(filledIn('add <MCP_URL> <TOKEN> ${AUTH}\n<TOKEN>', address)).toBe(
      'add https://cairn.example.com/mcp cairn_$& ${AUTH}\ncairn_$&',
    );
  });
});
