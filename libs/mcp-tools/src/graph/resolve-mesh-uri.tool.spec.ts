import { describe, expect, it } from '@jest/globals';
import { fail } from '@cairn/contracts';
import { uuidV7, type AppError } from '@cairn/kernel';
import { graphToolsOn } from './graph-tools.harness.js';

const uri = `mesh://folder/${uuidV7()}/${uuidV7()}`;

const traceOf = async (error: AppError) => {
  const mesh = { resolve: () => Promise.reject(error) };
  const { call } = graphToolsOn(undefined, { mesh });
  return (await call('carabase_resolve_mesh_uri', { uri })).structuredContent.trace;
};

describe('the trace of a mesh URI that is not resolved', () => {
  it('has the checks up to the one that failed, the connector, and how much of the text is stored', async () => {
    expect(await traceOf(fail('mesh.account_off', 'off', { retention: 'hollow' }))).toEqual({
      checks: [
        { name: 'capability', ok: true },
        { name: 'account', ok: false },
      ],
      connector: 'folder',
      retention: 'hollow',
    });
  });

  it('has how much is stored when the source fails', async () => {
    expect(await traceOf(fail('mesh.unavailable', 'late', { retention: 'metadata' }))).toEqual({
      connector: 'folder',
      retention: 'metadata',
      failed: 'mesh.unavailable',
    });
  });

  it('has nothing of an item that was not found', async () => {
    expect(await traceOf(fail('item.not_found', 'no such item'))).toEqual({
      connector: 'folder',
      failed: 'item.not_found',
    });
  });
});
