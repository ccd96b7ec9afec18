import type { ServiceName, ServiceProcess } from '@cairn/local-servers';

export interface Restart {
  readonly name: ServiceName;
  /** From SIGTERM to the end of the process, and from its start until it is ready. */
  readonly stopMs: number;
  readonly startMs: number;
  readonly exitCode: number | string;
}

const restart = async (replica: ServiceProcess, root: string | undefined): Promise<Restart> => {
  const [endedAt, exitCode] = [performance.now(), await replica.end('SIGTERM')];
  const startedAt = performance.now();
  await replica.start(root);
  return { name: replica.name, stopMs: startedAt - endedAt, startMs: performance.now() - startedAt, exitCode };
};

/** Restarts the replicas of each service one after the other; on the build of another checkout, if one is given. */
export const rollingRestart = async (
  replicas: Readonly<Record<ServiceName, readonly ServiceProcess[]>>,
  say: (line: string) => void = () => undefined,
  root?: string,
): Promise<Restart[]> => {
  const restarts: Restart[] = [];
  for (const name of ['ingest', 'search', 'embedder', 'gateway'] as const) {
    for (const [i, replica] of replicas[name].entries()) {
      const done = await restart(replica, root);
      restarts.push(done);
      say(`${name} ${i + 1}: stopped in ${Math.round(done.stopMs)} ms, ready in ${Math.round(done.startMs)} ms`);
    }
  }
  return restarts;
};

/**
 * Replaces all services by the build of another checkout, as Kubernetes does: all services at the same time, the replicas
 * of each one after the other.
 */
export const rollOut = async (
  replicas: Readonly<Record<ServiceName, readonly ServiceProcess[]>>,
  root: string,
): Promise<void> => {
  const inTurn = async (service: readonly ServiceProcess[]): Promise<void> => {
    for (const replica of service) await restart(replica, root);
  };
  await Promise.all(Object.values(replicas).map(inTurn));
};
