import { describe, expect, it } from '@jest/globals';
import { filledIn } from './filled-in.js';

describe('the instructions for a client', () => {
  it('get the address and the token in all of their places, and keep text that looks like a pattern', () => {
    const address = { mcpUrl: 'https://cairn.example.com/mcp', token: 'cairn_$&' };
    expect(filledIn('add <MCP_URL> <TOKEN> ${AUTH}\n<TOKEN>', address)).toBe(
      'add https://cairn.example.com/mcp cairn_$& ${AUTH}\ncairn_$&',
    );
  });
});
