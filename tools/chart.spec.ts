import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import {
  FILE_PARSE_MEMORY_BYTES_MAX,
  FILE_PARSE_OVERSHOOT_BYTES,
  FILE_PARSERS_MAX,
  GATEWAY_NATIVE_BYTES,
  STOP_MS_MAX,
  UPLOADS_HELD_BYTES_MAX,
} from '@cairn/contracts';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const chart: any = parse(read('deploy/helm/cairn/values.yaml'));
const compose: any = parse(read('docker-compose.yml'), { merge: true });
const workload = read('deploy/helm/cairn/templates/_workload.tpl');
const SERVICES = ['gateway', 'ingest', 'search', 'embedder'];

const MIB = 1_048_576;
const UNITS: Readonly<Record<string, number>> = { Mi: MIB, Gi: 1_024 * MIB };
const bytesOf = (amount: string): number => parseInt(amount, 10) * UNITS[amount.slice(-2)]!;

describe('the chart', () => {
  it.each(SERVICES)('gives %s longer to stop than it may take', (service) => {
    const { terminationGracePeriodSeconds, stopDelaySeconds = 0 } = chart[service];
    expect(terminationGracePeriodSeconds).toBeGreaterThan(stopDelaySeconds + STOP_MS_MAX / 1_000);
  });

  it('waits for the load balancer longer than it takes to see that a pod is not ready', () => {
    expect(chart.gateway.stopDelaySeconds).toBeGreaterThanOrEqual(5);
    // A hook that sleeps would only delay the signal, after which the pod reports that it is not ready.
    expect(workload).not.toContain('preStop');
  });

  it('probes the ops port of every service, and no port of clients', () => {
    const probes = [...workload.matchAll(/httpGet: \{ path: (\S+), port: (\S+) \}/g)].map(([, ...probe]) => probe);
    expect(probes).toEqual([
      ['/healthz', 'ops'],
      ['/healthz', 'ops'],
      ['/readyz', 'ops'],
    ]);
    expect(read('deploy/helm/cairn/templates/gateway/service.yaml')).not.toContain('ops');
    expect(read('deploy/helm/cairn/templates/gateway/ingress.yaml')).not.toContain('ops');
  });

  it('lets a catch-up take longer than the other starts, by its deadline and not by its probes', () => {
    expect(chart.ingest.progressDeadlineSeconds).toBeGreaterThanOrEqual(3_600);
    for (const service of SERVICES) expect(chart[service].probes.startupSeconds).toBeLessThanOrEqual(60);
  });

  it('fills the read models of a release before an upgrade and before a rollback, with the image and user of ingest', () => {
    const job = read('deploy/helm/cairn/templates/ingest/warm-up.yaml');
    expect(job).toContain('helm.sh/hook: pre-upgrade,pre-rollback');
    expect(job).toContain('command: [node, apps/cli/bin/cairn.mjs, oplog, warm-up, --as-ingest]');
    expect(job).toContain('"service" "ingest"');
    // Its pods must not be counted by the disruption budget of ingest, which has no such pods.
    expect(job).not.toContain('cairn.selector');
  });

  it('has room for the heap of a gateway, its uploads and all of its parsers at their limits', () => {
    const { resources, heapMib } = chart.gateway;
    const most =
      heapMib * MIB +
      GATEWAY_NATIVE_BYTES +
      UPLOADS_HELD_BYTES_MAX +
      FILE_PARSERS_MAX * (FILE_PARSE_MEMORY_BYTES_MAX + FILE_PARSE_OVERSHOOT_BYTES);
    expect(bytesOf(resources.limits.memory)).toBeGreaterThanOrEqual(most);
  });
});

describe('the compose file', () => {
  it.each(SERVICES)('gives %s longer to stop than it may take', (service) => {
    expect(parseInt(compose.services[service].stop_grace_period, 10) * 1_000).toBeGreaterThan(STOP_MS_MAX);
  });
});
