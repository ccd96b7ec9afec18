import { afterEach, describe, expect, it } from '@jest/globals';
import { fail } from '@cairn/contracts';
import { type EmbeddingModel } from '@cairn/embedding';
import { HashingEmbeddingModel } from '@cairn/embedding/testing';
import { createLogger } from '@cairn/observability';
import { ModelHolder } from './model-holder.js';

const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });
const holders: ModelHolder[] = [];

/** A holder whose model loads after the given failures. */
const holderOf = (model: EmbeddingModel, failures: Error[] = []): ModelHolder => {
  const left = [...failures];
  const open = () => (left.length > 0 ? Promise.reject(left.shift()!) : Promise.resolve(model));
  const holder = new ModelHolder(open, logger, 1);
  holders.push(holder);
  return holder;
};

const ready = (holder: ModelHolder): Promise<EmbeddingModel> =>
  new Promise((resolve) => holder.whenReady((model) => resolve(model)));

afterEach(() => Promise.all(holders.splice(0).map((holder) => holder.close())));

describe('holding the model', () => {
  it('reports that no model is loaded, and why, until it is', async () => {
    const holder = holderOf(new HashingEmbeddingModel());
    expect(holder.isLoaded).toBe(false);
    expect(holder.view()).toEqual({ model: null, label: null, dims: null, note: 'the model is being loaded' });
    expect(() => holder.current).toThrow(
      expect.objectContaining({ code: 'embedder.unavailable', kind: 'unavailable' }),
    );
    holder.start();
    await ready(holder);
    expect(holder.view()).toEqual({ model: 'hashing-384', label: 'Hashing (test)', dims: 384 });
  });

  it('reports why its model cannot embed at the moment, and which model it is', async () => {
    const holder = holderOf(Object.assign(new HashingEmbeddingModel(), { problem: 'restarting' }));
    holder.start();
    await ready(holder);
    expect(holder.view()).toEqual({ model: 'hashing-384', label: 'Hashing (test)', dims: 384, note: 'restarting' });
  });

  it('retries until the model is loaded', async () => {
    const missing = fail('embedder.model_missing', 'no mirror answers');
    const holder = holderOf(new HashingEmbeddingModel(), [missing, new Error('a socket'), missing]);
    holder.start();
    expect((await ready(holder)).id).toBe('hashing-384');
    expect(holder.isLoaded).toBe(true);
  });

  it('does not show the message of an unknown error in its note', async () => {
    let tried: () => void;
    const twice = new Promise<void>((resolve) => (tried = resolve));
    let tries = 0;
    const holder = new ModelHolder(
      () => (++tries === 2 && tried(), Promise.reject(new Error('/home/secret'))),
      logger,
      1,
    );
    holders.push(holder);
    holder.start();
    await twice;
    expect(holder.view().note).toBe('the model could not be loaded');
  });

  it('rejects a model with more dimensions than a vector may have', async () => {
    const wide = Object.assign(new HashingEmbeddingModel(), { dimensions: 5_000 }) as EmbeddingModel;
    let closed: () => void;
    const wasClosed = new Promise<void>((resolve) => (closed = resolve));
    wide.close = () => Promise.resolve(closed());
    const holder = holderOf(wide);
    holder.start();
    await wasClosed;
    expect(holder.isLoaded).toBe(false);
    expect(holder.view().note).toBe('the model hashing-384 has 5000 dimensions; a vector may have 4096');
  });
});
