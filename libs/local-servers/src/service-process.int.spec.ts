import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort } from './free-port.js';
import { ServiceProcess, type ServiceName } from './service-process.js';

let service: ServiceProcess | undefined;
afterEach(() => service?.end('SIGKILL'));

describe('a service whose start takes long', () => {
  it.each<ServiceName>(['gateway', 'ingest', 'search', 'embedder'])(
    'answers for its health from the beginning: %s',
    async (name) => {
      // The broker does not answer, so the start does not get any further.
      const env = {
        NATS_URL: `nats://127.0.0.1:${await freePort()}`,
        DATABASE_URL: 'postgres://cairn@127.0.0.1:1/cairn',
        OPENSEARCH_URL: 'http://127.0.0.1:1',
        CAIRN_KEK: Buffer.alloc(32).toString('base64'),
      };
      service = await ServiceProcess.on(name, env);
      const { opsUrl } = service;
      await service.launch().until(() =>
        fetch(`${opsUrl}/healthz`).then(
          ({ status }) => status === 200,
          () => false,
        ),
      );
      const ready = await fetch(`${opsUrl}/readyz`);
      expect([ready.status, await ready.json()]).toEqual([503, { status: 'not ready', notes: ['starting'] }]);
      expect(await (await fetch(`${opsUrl}/metrics`)).text()).toContain('process_start_time_seconds');
    },
  );
});
