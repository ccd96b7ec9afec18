import type { NatsConnection } from '@cairn/messaging';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { closeConnections, type Connections } from './connections.js';
import { ResidentVectors } from './resident/resident-vectors.js';
import { CONNECTIONS, NATS } from './search.providers.js';

/** Closes the connections of search after the last answer. */
@Injectable()
export class SearchLifecycle implements OnApplicationShutdown {
  constructor(
    @Inject(NATS) private readonly nats: NatsConnection,
    @Inject(CONNECTIONS) private readonly connections: Connections,
    private readonly resident: ResidentVectors,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.nats.drain();
    await this.resident.close();
    await closeConnections(this.connections);
  }
}
