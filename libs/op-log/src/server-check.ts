import { fail } from '@cairn/contracts';
import type { NatsConnection } from '@nats-io/transport-node';

const REQUIRED = [2, 12] as const;

export interface ServerCheck {
  /** The URL of the broker's monitoring port, if it is reachable. */
  readonly monitorUrl?: string | undefined;
  /** True when the broker's supervisor has checked that it syncs, as that of the embedded one does at every launch. */
  readonly isProven?: boolean | undefined;
  readonly warn: (message: string) => void;
}

const versionOf = (nats: NatsConnection): string => nats.info?.version ?? '0.0.0';

const isTooOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < REQUIRED[0] || (major === REQUIRED[0] && minor < REQUIRED[1]);
};

const syncAlways = async (monitorUrl: string): Promise<boolean | undefined> => {
  try {
    const answer = await fetch(new URL('/varz', monitorUrl), { signal: AbortSignal.timeout(2_000) });
    const varz = (await answer.json()) as { jetstream?: { config?: { sync_always?: boolean } } };
    return varz.jetstream?.config?.sync_always ?? false;
  } catch {
    return undefined;
  }
};

/**
 * Rejects a broker that cannot give the guarantees that the log needs: an append is checked against a subject filter
 * (2.12), and an acknowledged op survives power loss only if the broker syncs before it answers.
 */
export const checkServer = async (nats: NatsConnection, { monitorUrl, isProven, warn }: ServerCheck): Promise<void> => {
  const version = versionOf(nats);
  if (isTooOld(version)) {
    throw fail(
      'oplog.unsuitable_server',
      `nats-server ${version} is too old: Cairn needs ${REQUIRED.join('.')} or newer, for appends that expect the last sequence of a subject filter`,
    );
  }
  if (isProven) return;
  const always = monitorUrl === undefined ? undefined : await syncAlways(monitorUrl);
  if (always === undefined)
    return warn('the monitoring port of nats-server is out of reach, so `sync_interval: always` cannot be proven');
  if (!always)
    throw fail(
      'oplog.unsuitable_server',
      'nats-server runs without `sync_interval: always`: an acknowledged write could be lost with the power. Set `jetstream { sync_interval: always }` in its configuration.',
    );
};
