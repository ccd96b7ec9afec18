import { fail, parseMeshUri } from '@cairn/contracts';
import { countTokens } from '@cairn/graph';
import type { Clock } from '@cairn/kernel';
import type { CairnPort } from './cairn.port.js';
import type { MeshPort, ResolvedText } from './mesh.port.js';

/**
 * Answers with texts that are stored in full. No source can be reached from here, so everything else is unsupported.
 */
export class InMemoryMesh implements MeshPort {
  constructor(
    private readonly cairn: CairnPort,
    private readonly clock: Clock,
  ) {}

  async resolve(uri: string): Promise<ResolvedText> {
    const address = parseMeshUri(uri);
    if (!address) throw fail('input.invalid', 'uri must be a mesh URI', { field: 'uri' });
    const { text, retention } = await this.cairn.query('mesh.locate', address);
    if (text === null) throw fail('mesh.unsupported', 'the source gives no texts');
    const fetchedAt = new Date(this.clock.now()).toISOString();
    const provenance = { connector: address.connectorId, uri, fetchedAt };
    return { text, tokens: countTokens(text), compacted: false, retention, provenance };
  }
}
