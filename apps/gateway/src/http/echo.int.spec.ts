import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startGatewayUnderTest, type GatewayUnderTest } from '../gateway-under-test.harness.js';

/** Room for the frame of an error, its message and a few short echoes. */
const ANSWER_CHARS_MAX = 2_000;
const LONG = 'x'.repeat(900_000);
/** Headers and URLs allow less. */
const LONGISH = 'x'.repeat(10_000);

let gateway: GatewayUnderTest;
let token: string;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  token = gateway.services.issue({ scopes: ['admin'], isUnscoped: true });
}, 60_000);
afterAll(() => gateway.stop());

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const MODERN = { 'mcp-protocol-version': '2026-07-28' };
const META = { [VERSION]: '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
const call = (name: string, args: object) => message('tools/call', { name, arguments: args });

const MESSAGES: Record<string, object> = {
  'a method': message(LONG),
  'a tool': call(LONG, {}),
  'a resource that no template fits': message('resources/read', { uri: LONG }),
  'a resource that a template fits': message('resources/read', { uri: `drobek://knowledge/${LONG}` }),
  'a prompt': message('prompts/get', { name: LONG }),
  'a cursor': message('tools/list', { cursor: LONG }),
  'a field of the message': { ...message('ping'), [LONG]: 1 },
  'an argument': call('search_knowledge_base', { query: 'x', [LONG]: 1 }),
  'an argument of a memory tool': call('remember', { text: 'x', [LONG]: 1 }),
  'a value out of a list': call('search_knowledge_base', { query: 'x', mode: LONG }),
  'an id': call('get_item', { item_id: LONG }),
  'a log level': message('logging/setLevel', { level: LONG }),
  'a completion': message('completion/complete', { ref: { type: LONG }, argument: { name: LONG, value: LONG } }),
};

const shortAnswer = async (response: Response): Promise<string> => {
  const text = await response.text();
  expect(text.length).toBeLessThan(ANSWER_CHARS_MAX);
  return text;
};

describe('an error repeats little of its input', () => {
  it.each(Object.keys(MESSAGES))('over MCP, in either era: %s', async (name) => {
    const sent = MESSAGES[name] as { method: string; params: object };
    await shortAnswer(await gateway.post(sent, { token }));
    const modern = { ...sent, params: { ...sent.params, _meta: META } };
    const headers = { ...MODERN, 'mcp-method': sent.method.slice(0, 1_000) };
    await shortAnswer(await gateway.post(modern, { token, headers }));
  });

  it.each<[string, object, Record<string, string>]>([
    ['a protocol version in the body', { ...message('ping', { _meta: { ...META, [VERSION]: LONG } }) }, MODERN],
    ['a protocol version in the header', message('ping', { _meta: META }), { 'mcp-protocol-version': LONGISH }],
    ['a method in the header', message('ping', { _meta: META }), { ...MODERN, 'mcp-method': LONGISH }],
    ['a session', message('ping'), { 'mcp-session-id': LONGISH }],
    ['a media type', message('ping'), { 'content-type': LONGISH }],
    ['an accepted type', message('ping'), { accept: LONGISH }],
    ['an origin', message('ping'), { origin: `https://${LONGISH}` }],
    ['a token', message('ping'), { authorization: `Bearer ${LONGISH}` }],
  ])('over MCP: %s', async (_, body, headers) => {
    await shortAnswer(await gateway.post(body, { token, headers }));
  });

  it.each<[string, string, string, object | undefined, Record<string, string>]>([
    ['a path', 'GET', `/${LONGISH}`, undefined, {}],
    ['an id', 'GET', `/items/${LONGISH}`, undefined, {}],
    ['a parameter', 'GET', `/items?${LONGISH}=1`, undefined, {}],
    ['a parameter given twice', 'GET', `/items?${LONGISH}=1&${LONGISH}=2`, undefined, {}],
    ['a parameter in no encoding', 'GET', `/items?${LONGISH}=%ff`, undefined, {}],
    ['a value', 'GET', `/items?kind=${LONGISH}`, undefined, {}],
    ['a field', 'POST', '/items', { title: 'x', text: 'x', [LONG]: 1 }, {}],
    ['a field within', 'POST', '/items', { title: 'x', text: 'x', source: { [LONG]: 1 } }, {}],
    ['a slug', 'POST', '/folders', { slug: LONG, name: 'x' }, {}],
    ['a scope', 'POST', '/tokens', { name: 'x', scopes: [LONG] }, {}],
    ['a key', 'POST', '/items', { title: 'x', text: 'x' }, { 'idempotency-key': LONGISH }],
  ])('over REST: %s', async (_, method, path, body, headers) => {
    const response = await fetch(`${gateway.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    await shortAnswer(response);
  });

  it.each([
    ['a field', LONGISH, 'a.txt'],
    ['the name of a file', 'file', `${LONGISH}.exe`],
    ['the end of a file’s name', 'file', `a.${LONGISH}`],
  ])('over REST, in a form: %s', async (_, field, fileName) => {
    const form = new FormData();
    form.append(field, new Blob(['x']), fileName);
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${gateway.url}/api/v1/items`, { method: 'POST', headers, body: form });
    expect(response.status).toBeGreaterThanOrEqual(400);
    await shortAnswer(response);
  });

  it('names a resource in full if its name has an ordinary length', async () => {
    const uri = 'drobek://knowledge/0190a1b2-c3d4-7e5f-8a9b-000000000001';
    const text = await shortAnswer(await gateway.post(message('resources/read', { uri }), { token }));
    expect(text).toContain(`"uri":"${uri}"`);
  });
});
