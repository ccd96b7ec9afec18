import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceProcess } from '@cairn/local-servers';

const PROBE_EVERY_MS = 100;

/**
 * Picks a gateway for each call as a load balancer does: in turns, among those that reported to be ready, or among all
 * while none did.
 */
export class ReadyGateways {
  private ready: ReadonlySet<ServiceProcess>;
  private turn = 0;
  private isClosed = false;
  private readonly probing: Promise<void>;

  constructor(private readonly gateways: readonly ServiceProcess[]) {
    this.ready = new Set(gateways);
    this.probing = this.probe();
  }

  next(): ServiceProcess {
    for (let tries = 0; tries < this.gateways.length; tries++) {
      const gateway = this.gateways[this.turn++ % this.gateways.length]!;
      if (this.ready.has(gateway)) return gateway;
    }
    return this.gateways[this.turn++ % this.gateways.length]!;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.probing;
  }

  private async probe(): Promise<void> {
    while (!this.isClosed) {
      const found = await Promise.all(
        this.gateways.map(async (gateway) => ((await gateway.isReady()) ? [gateway] : [])),
      );
      this.ready = new Set(found.flat());
      await delay(PROBE_EVERY_MS);
    }
  }
}
