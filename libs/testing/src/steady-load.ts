import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceProcess } from '@cairn/local-servers';
import { MixedCalls } from './mixed-calls.js';
import { ReadyGateways } from './ready-gateways.js';

export interface LoadReport {
  readonly calls: number;
  readonly stored: number;
  /** What went wrong, one line for each failed call. */
  readonly failures: readonly string[];
  /** Acknowledged stores without an item, and items more than one for the same store. */
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  /** The time of each call in milliseconds, in ascending order. */
  readonly sortedMs: readonly number[];
}

export interface SteadyLoadOptions {
  readonly gateways: readonly ServiceProcess[];
  readonly token: string;
  readonly callsPerSecond: number;
  /** The beginning of every title, which tells the items of this load from others. */
  readonly titles?: string;
}

type Call = (url: string, calls: MixedCalls) => Promise<void>;

/** Calls of every kind at a fixed rate, however long each of them takes. No call is tried twice. */
export class SteadyLoad {
  private readonly calls: MixedCalls;
  private readonly balancer: ReadyGateways;
  private readonly failures: string[] = [];
  private readonly acknowledged: string[] = [];
  private readonly times: number[] = [];
  private readonly pending = new Set<Promise<void>>();
  private sessionId = '';
  private count = 0;
  private isStopping = false;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: SteadyLoadOptions) {
    this.calls = new MixedCalls(options.token);
    this.balancer = new ReadyGateways(options.gateways);
  }

  private get titles(): string {
    return this.options.titles ?? 'Note';
  }

  async start(): Promise<void> {
    this.sessionId = await this.calls.openSession(this.balancer.next().url);
    this.running = this.run();
  }

  /** The stores that were acknowledged so far. */
  get stored(): number {
    return this.acknowledged.length;
  }

  /** Waits for the calls in flight, and compares what is stored with what was acknowledged. */
  async stop(): Promise<LoadReport> {
    this.isStopping = true;
    await this.running;
    await Promise.all(this.pending);
    const items = await this.calls.items(this.balancer.next().url);
    await this.balancer.close();
    this.calls.close();
    const counts = new Map<string, number>();
    const own = items.filter(({ title }) => title.startsWith(`${this.titles} `));
    for (const { title } of own) counts.set(title, (counts.get(title) ?? 0) + 1);
    return {
      calls: this.times.length,
      stored: this.acknowledged.length,
      failures: this.failures,
      lost: this.acknowledged.filter((title) => !counts.has(title)),
      doubled: [...counts].filter(([, count]) => count > 1).map(([title]) => title),
      sortedMs: this.times.sort((a, b) => a - b),
    };
  }

  private async run(): Promise<void> {
    const startMs = performance.now();
    for (let sent = 0; !this.isStopping; sent++) {
      const call: Promise<void> = this.callOnce().finally(() => this.pending.delete(call));
      this.pending.add(call);
      const dueMs = startMs + ((sent + 1) * 1_000) / this.options.callsPerSecond;
      await delay(Math.max(0, dueMs - performance.now()));
    }
  }

  private async callOnce(): Promise<void> {
    const n = this.count++;
    const [name, call] = this.kind(n);
    const startMs = performance.now();
    try {
      await call(this.balancer.next().url, this.calls);
    } catch (thrown) {
      const { message, code } = thrown as NodeJS.ErrnoException;
      this.failures.push(`${new Date().toISOString()} ${name}: ${code ?? ''} ${message}`);
    }
    this.times.push(performance.now() - startMs);
  }

  private kind(n: number): readonly [name: string, call: Call] {
    const title = `${this.titles} ${n}`;
    const stored = (): void => void this.acknowledged.push(title);
    const { sessionId } = this;
    const kinds: readonly (readonly [string, Call])[] = [
      ['store_knowledge', (url, calls) => calls.store(url, title).then(stored)],
      ['POST /items', (url, calls) => calls.restStore(url, title).then(stored)],
      ['GET /items', (url, calls) => calls.restList(url)],
      ['search_knowledge_base', (url, calls) => calls.search(url)],
      ['a session', (url, calls) => calls.sessionSearch(url, sessionId)],
    ];
    return kinds[n % kinds.length]!;
  }
}
