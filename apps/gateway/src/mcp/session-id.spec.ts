import { describe, expect, it } from '@jest/globals';
import { isSessionOf, mintSessionId, sessionName } from './session-id.js';

describe('a session id', () => {
  const id = mintSessionId('secret');

  it('is recognised with the credential it was made for, and with no other', () => {
    expect(isSessionOf(id, 'secret')).toBe(true);
    expect(isSessionOf(id, 'secret2')).toBe(false);
    expect(isSessionOf(id, '')).toBe(false);
  });

  it('differs each time and consists of visible ASCII characters', () => {
    expect(mintSessionId('secret')).not.toBe(id);
    expect(id).toMatch(/^[\x21-\x7e]{48}$/);
  });

  it('is rejected with any character changed, in another length, or spelled otherwise', () => {
    for (let i = 0; i < id.length; i++) {
      const changed = id.slice(0, i) + (id[i] === 'A' ? 'B' : 'A') + id.slice(i + 1);
      expect(isSessionOf(changed, 'secret')).toBe(false);
    }
    for (const other of ['', 'x', id.slice(1), `${id}A`, `${id}=`, ` ${id}`, `${id}\n`, 'é'.repeat(48)])
      expect(isSessionOf(other, 'secret')).toBe(false);
  });

  it('has a name that does not contain the proof', () => {
    expect(id.startsWith(sessionName(id))).toBe(true);
    expect(isSessionOf(sessionName(id) + mintSessionId('secret').slice(24), 'secret')).toBe(false);
  });
});
