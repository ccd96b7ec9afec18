import { fail, parseInput, type AccountSettings } from '@cairn/contracts';
import type { Connector } from '@cairn/connectors';
import { z } from 'zod';

/** The connectors of this process, by id. */
export class ConnectorRegistry {
  private readonly byId: ReadonlyMap<string, Connector>;

  constructor(readonly connectors: readonly Connector[]) {
    this.byId = new Map(connectors.map((connector) => [connector.manifest.id, connector]));
  }

  find(connectorId: string): Connector | undefined {
    return this.byId.get(connectorId);
  }

  /** Throws for an unknown id in an input. */
  get(connectorId: string): Connector {
    const found = this.find(connectorId);
    if (found) return found;
    const known = [...this.byId.keys()].join(', ');
    throw fail('input.invalid', `connectorId must be one of ${known}`, { field: 'connectorId' });
  }

  /** Settings as the connector's schema returns them, checked against the limits of this installation. */
  async settings(connector: Connector, given: unknown): Promise<AccountSettings> {
    const { settings } = parseInput(z.strictObject({ settings: connector.manifest.settings }), { settings: given });
    await connector.check?.(settings);
    return settings;
  }
}
