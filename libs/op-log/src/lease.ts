import { fail, LEASE_FREED_SUBJECT, LEASES_BUCKET } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import { jetstream } from '@nats-io/jetstream';
import { Kvm, type KV } from '@nats-io/kv';
import { isFree, LEASE_MS, noted, type LeaseRecord, type SeenRecord } from './lease-rules.js';
import type { Turn } from './projector.js';

/** Often enough that a renewal may fail once. */
const LOOK_MS = 1_000;
/** A renewal that takes longer is of no use. */
const BROKER_WAIT_MS = 1_500;
/** By then, no process uses the lease: it belonged to a build that has been replaced. */
const RECORD_LIFE_MS = 10 * 60_000;

export interface LeaseOptions {
  readonly name: string;
  /** Names this process to operators. It must be different for every start. */
  readonly holder: string;
  readonly onChange?: (isOurs: boolean) => void;
}

/**
 * Makes one of several processes do a piece of work, with the others ready to take over: at once when it stops, within
 * seconds when it dies. Two processes may believe for a moment that they hold it, so the work itself must bear that;
 * the checkpoint of a projection does.
 */
export class Lease implements Turn {
  private seen: SeenRecord | undefined;
  private readonly seenOthers = new Map<string, SeenRecord>();
  private heldUntilMs = 0;
  private wasOurs = false;
  private isFit: () => boolean = () => true;
  private isStopping = false;
  private running: Promise<void> | undefined;
  private wake: () => void = () => undefined;
  private readonly listeners = new Set<() => void>();

  private constructor(
    private readonly nats: NatsConnection,
    private readonly bucket: KV,
    private readonly options: LeaseOptions,
  ) {}

  /** Creates the bucket if it is missing. */
  static async open(nats: NatsConnection, replicas: number, options: LeaseOptions): Promise<Lease> {
    const settings = { history: 1, replicas, ttl: RECORD_LIFE_MS };
    await new Kvm(nats).create(LEASES_BUCKET, settings).catch((thrown: unknown) => {
      const message = `the bucket ${LEASES_BUCKET} cannot be opened; check that the broker has the current deploy/nats/permissions.conf`;
      throw fail('oplog.unavailable', message, {}, thrown);
    });
    // Opened like this, it is read from its leader: a replica of the bucket could be behind.
    const kvm = new Kvm(jetstream(nats, { timeout: BROKER_WAIT_MS }));
    return new Lease(nats, await kvm.open(LEASES_BUCKET, { bindOnly: true }), options);
  }

  get isOurs(): boolean {
    return performance.now() < this.heldUntilMs;
  }

  /** Who holds it, as far as this process knows. */
  get holder(): string | undefined {
    return this.seen?.holder ?? undefined;
  }

  /** Whether no process holds another lease. A process that died holds it for seconds, as in `renewOrTake`. */
  async isFree(name: string): Promise<boolean> {
    const nowMs = performance.now();
    const seen = noted(this.seenOthers.get(name), await this.find(name), nowMs);
    if (seen) this.seenOthers.set(name, seen);
    return isFree(seen, nowMs);
  }

  /** While this is false, the process leaves the work to another one. */
  onlyWhile(isFit: () => boolean): void {
    this.isFit = isFit;
  }

  /** Resolves when this process knows whether it holds the lease. */
  async start(): Promise<void> {
    this.nats.subscribe(LEASE_FREED_SUBJECT, {
      callback: (error, message) => {
        if (!error && message.string() === this.options.name) this.wake();
      },
    });
    await this.look();
    this.running = this.run();
  }

  /** Gives the lease up, so that another process takes over at once. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.wake();
    await this.running;
    await this.giveUp().catch(() => undefined);
    this.report();
    this.tellListeners();
  }

  changed(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.listeners.delete(done);
        resolve();
      };
      const timer = setTimeout(done, waitMs).unref();
      this.listeners.add(done);
    });
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      await this.pause();
      if (!this.isStopping) await this.look();
    }
  }

  /** A broker that does not answer lets the lease run out; the next look tries again. */
  private async look(): Promise<void> {
    await (this.isOurs && !this.isFit() ? this.giveUp() : this.renewOrTake()).catch(() => undefined);
    this.report();
  }

  private async renewOrTake(): Promise<void> {
    const startMs = performance.now();
    const before = await this.read(startMs);
    const isOwn = before?.holder === this.options.holder;
    if (!isOwn) this.heldUntilMs = 0;
    if (!(isOwn || isFree(before, startMs)) || !this.isFit()) return;
    await this.write(this.options.holder);
    this.heldUntilMs = startMs + LEASE_MS;
  }

  private async giveUp(): Promise<void> {
    if (!this.isOurs) return;
    this.heldUntilMs = 0;
    await this.write(null);
    this.nats.publish(LEASE_FREED_SUBJECT, this.options.name);
    await this.nats.flush();
  }

  private async read(nowMs: number): Promise<SeenRecord | undefined> {
    return (this.seen = noted(this.seen, await this.find(this.options.name), nowMs));
  }

  private async find(name: string): Promise<(LeaseRecord & { readonly revision: number }) | undefined> {
    const entry = await this.bucket.get(name);
    return entry?.operation === 'PUT' ? { ...entry.json<LeaseRecord>(), revision: entry.revision } : undefined;
  }

  /** Fails if another process has written since this one has looked. */
  private async write(holder: string | null): Promise<void> {
    const { name } = this.options;
    const record = JSON.stringify({ holder } satisfies LeaseRecord);
    const revision = this.seen
      ? await this.bucket.update(name, record, this.seen.revision)
      : await this.bucket.create(name, record);
    this.seen = { holder, revision, sinceMs: performance.now() };
  }

  private report(): void {
    const { isOurs } = this;
    if (isOurs === this.wasOurs) return;
    this.wasOurs = isOurs;
    this.options.onChange?.(isOurs);
    this.tellListeners();
  }

  private tellListeners(): void {
    for (const done of [...this.listeners]) done();
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LOOK_MS);
      this.wake = (): void => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
