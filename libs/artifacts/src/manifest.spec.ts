import { describe, expect, it } from '@jest/globals';
import { bgeSmallModel, miniLmModel, openSearch, postgresNative } from './manifest.js';

const entries = [bgeSmallModel, miniLmModel, openSearch, postgresNative('linux-x64'), postgresNative('darwin-arm64')];

describe('the manifest', () => {
  it.each(entries.map((entry) => [entry.name, entry] as const))('pins %s by checksum', (_name, entry) => {
    const sums = 'files' in entry ? entry.files.map((file) => file.sha256) : [entry.archiveSha256 ?? entry.tree.sha256];
    expect(sums.length).toBeGreaterThan(0);
    for (const sum of sums) expect(sum).toMatch(/^[0-9a-f]{64}$/);
  });

  it('names every source by coordinate and never by a registry address', () => {
    expect(entries.flatMap((entry) => entry.mirrors).map((mirror) => mirror.kind)).not.toContain('url');
  });

  it('names the variable to set on a platform without a pinned Postgres', () => {
    expect(() => postgresNative('sunos-sparc')).toThrow('sunos-sparc; set DATABASE_URL');
  });
});
