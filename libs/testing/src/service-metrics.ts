import type { ServiceProcess } from '@cairn/local-servers';

/** The value of a metric of a service, summed over the series whose labels contain the given ones. */
export const metricOf = async (service: ServiceProcess, name: string, labels = ''): Promise<number> => {
  const text = await (await fetch(`${service.opsUrl}/metrics`)).text();
  const values = text
    .split('\n')
    .filter((line) => new RegExp(`^${name}[{ ]`).test(line) && line.includes(labels))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
  return values.reduce((total, value) => total + value, 0);
};

/** Whether this replica of ingest runs the projectors. */
export const holdsLease = async (ingest: ServiceProcess): Promise<boolean> =>
  (await metricOf(ingest, 'cairn_ingest_lease_held')) === 1;

export interface Appends {
  readonly ok: number;
  readonly conflicts: number;
}

/** The appends of all replicas of ingest since their starts. */
export const appendsOf = async (ingests: readonly ServiceProcess[]): Promise<Appends> => {
  const total = async (result: string): Promise<number> => {
    const counts = ingests.map((ingest) => metricOf(ingest, 'cairn_oplog_append_total', `result="${result}"`));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  };
  return { ok: await total('ok'), conflicts: await total('conflict') };
};
