import { hkdfSync } from 'node:crypto';
import { fail } from '@cairn/contracts';
import { open, seal } from './cipher.js';
import type { KekConfig } from './kek.js';

const KEK_ID_BYTES = 4;

/**
 * The key-encryption keys of an installation: the current one wraps, the others only open, as long as a key is wrapped by
 * them. A wrapped key does not name its KEK: the current one is tried first, and opening authenticates, so reading costs
 * more only during a rotation (ADR 0027).
 */
export class KeyRing {
  /** The current one first. */
  private readonly keks: readonly Uint8Array[];

  constructor({ kek, previousKeks = [] }: KekConfig) {
    this.keks = [...new Set([kek, ...previousKeks])].map((base64) => Buffer.from(base64, 'base64'));
  }

  /** True while there are KEKs that only open. */
  get isRotating(): boolean {
    return this.keks.length > 1;
  }

  /** Distinguishes the current KEK from others without revealing anything about it. */
  get id(): string {
    return Buffer.from(hkdfSync('sha256', this.current, '', 'cairn:kek-id:1', KEK_ID_BYTES)).toString('hex');
  }

  wrap(aad: string, key: Uint8Array): Buffer {
    return seal(this.current, aad, key);
  }

  unwrap(aad: string, wrapped: Uint8Array): Uint8Array {
    return this.opened(aad, wrapped).key;
  }

  /** The same key under the current KEK; undefined if it already is. */
  rewrap(aad: string, wrapped: Uint8Array): Buffer | undefined {
    if (!this.isRotating) return undefined;
    const { kek, key } = this.opened(aad, wrapped);
    return kek === this.current ? undefined : this.wrap(aad, key);
  }

  /** The KEK itself that a key is wrapped by. */
  wrapperOf(aad: string, wrapped: Uint8Array): Uint8Array {
    return this.opened(aad, wrapped).kek;
  }

  /** The last in the list: a new KEK is put before the others, so the oldest stays there. */
  get oldest(): Uint8Array {
    return this.keks.at(-1)!;
  }

  private get current(): Uint8Array {
    return this.keks[0]!;
  }

  private opened(aad: string, wrapped: Uint8Array): { readonly kek: Uint8Array; readonly key: Uint8Array } {
    let failure: unknown;
    for (const kek of this.keks) {
      try {
        return { kek, key: open(kek, aad, wrapped) };
      } catch (thrown) {
        failure ??= thrown;
      }
    }
    throw fail('key.unavailable', 'a wrapped key opens with none of the given key-encryption keys', {}, failure);
  }
}
