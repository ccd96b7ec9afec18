import { describe, expect, it } from '@jest/globals';
import { createMetrics, METRIC_NAMES, startOpsServer, logEnv, logFormat } from './index.js';

const serve = (ready: boolean) =>
  startOpsServer({
    host: '127.0.0.1',
    port: 0,
    metrics: createMetrics(),
    ready: () => (ready ? Promise.resolve({ ready, notes: [] }) : Promise.reject(new Error('database unavailable'))),
  });

describe('the ops server', () => {
  it('answers health, readiness and metrics', async () => {
    const server = await serve(true);
    const at = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`);
    expect((await at('/healthz')).status).toBe(200);
    expect((await at('/readyz?x=1')).status).toBe(200);
    const metrics = await (await at('/metrics')).text();
    for (const name of Object.values(METRIC_NAMES)) expect(metrics).toContain(`# HELP ${name} `);
    expect((await at('/else')).status).toBe(404);
    await server.close();
  });

  it('is not ready when the check throws, and does not reveal the reason', async () => {
    const server = await serve(false);
    const reply = await fetch(`http://127.0.0.1:${server.port}/readyz`);
    expect(reply.status).toBe(503);
    expect(await reply.text()).not.toContain('database unavailable');
    await server.close();
  });
});

describe('log settings', () => {
  it('default to pretty on a terminal and JSON elsewhere', () => {
    expect(logEnv.parse({})).toEqual({ LOG_LEVEL: 'info' });
    expect([logFormat(undefined, true), logFormat(undefined, false), logFormat('json', true)]).toEqual([
      'pretty',
      'json',
      'json',
    ]);
  });
});
