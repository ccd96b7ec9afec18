import { describe, expect, it } from '@jest/globals';
import { serverUrlCheck } from './server-url.js';

const OWN = { host: '127.0.0.1', port: 7480, origins: ['https://cairn.example.com'] };
const LOCAL = ['http://localhost:23373', 'http://127.0.0.1:7480', 'http://localhost:7480', 'http://10.0.0.5:9000'];

const refusalOf = (url: string, localOrigins = LOCAL): string | undefined => {
  try {
    serverUrlCheck(localOrigins, () => OWN)(url);
    return undefined;
  } catch (thrown) {
    return (thrown as Error).message;
  }
};

describe('the address of an external server', () => {
  it.each([
    'https://mcp.example.com/mcp',
    'https://mcp.example.com:8443/mcp',
    'http://localhost:23373/v0/mcp',
    'http://10.0.0.5:9000/',
  ])('may be %s', (url) => {
    expect(refusalOf(url)).toBeUndefined();
  });

  it.each([
    'http://127.0.0.1:7480/mcp',
    'http://localhost:7480/mcp',
    'http://127.1.2.3:7480/mcp',
    'http://[::1]:7480/mcp',
    'https://cairn.example.com/mcp',
  ])('may not be that of Cairn itself, listed or not: %s', (url) => {
    expect(refusalOf(url)).toBe('url must not lead to this server itself');
  });

  it.each([
    'http://mcp.example.com/mcp',
    'http://localhost:23374/',
    'https://localhost:23373/',
    'http://127.0.0.1:23373/',
    'https://10.0.0.5:9000/',
    'https://192.168.0.1/',
    'https://[fd00::1]/',
    'https://2130706433/',
    'https://printer.local/',
  ])('may not be %s, and the error names the setting', (url) => {
    expect(refusalOf(url)).toContain('CAIRN_MCP_LOCAL_ORIGINS');
  });
});
