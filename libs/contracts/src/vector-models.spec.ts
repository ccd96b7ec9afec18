import { describe, expect, it } from '@jest/globals';
import {
  flipped,
  keptModels,
  ordered,
  orderSettled,
  PREVIOUS_VECTORS_KEPT_MS,
  previousDropped,
  rolledBack,
  VectorModels,
  withConfigured,
  type VectorModels as Models,
} from './vector-models.js';

const nowMs = Date.parse('2026-05-01T00:00:00.000Z');
const at = new Date(nowMs).toISOString();
const keptUntil = new Date(nowMs + PREVIOUS_VECTORS_KEPT_MS).toISOString();
const model = (id: string) => ({ id, source: `source of ${id}`, dims: 384 });
const next = (id: string, hold = false) => ({ ...model(id), startedAt: at, hold });
const none = { lastUsed: undefined, nowMs };
const fresh: Models = { configured: 'a', live: model('a'), dropped: [] };
const filling: Models = { configured: 'b', live: model('a'), next: next('b'), dropped: [] };

describe('the models of the vectors', () => {
  it('begin with the configured one in a new installation', () => {
    expect(withConfigured(undefined, model('a'), none)).toEqual(fresh);
  });

  it('keep the vectors of an installation without a record, and replace them if they are of another model', () => {
    expect(withConfigured(undefined, model('a'), { lastUsed: model('a'), nowMs })).toEqual(fresh);
    expect(withConfigured(undefined, model('b'), { lastUsed: model('a'), nowMs })).toEqual(filling);
  });

  it('are replaced when the configuration changes, and only then', () => {
    expect(withConfigured(fresh, model('a'), none)).toBe(fresh);
    expect(withConfigured(fresh, model('b'), none)).toEqual(filling);
    const chosen = { ...fresh, live: model('x') };
    expect(withConfigured(chosen, model('a'), none)).toBe(chosen);
  });

  it('drop unfinished vectors when the configuration changes again, or back', () => {
    expect(withConfigured(filling, model('c'), none)).toEqual({
      ...filling,
      configured: 'c',
      next: next('c'),
      dropped: ['b'],
    });
    expect(withConfigured(filling, model('a'), none)).toEqual({ ...fresh, dropped: ['b'] });
  });

  it('complete previous vectors instead of making them again', () => {
    const after = flipped(filling, nowMs);
    expect(withConfigured(after, model('a'), none)).toEqual({
      configured: 'a',
      live: model('b'),
      next: next('a'),
      dropped: [],
    });
  });

  it('flip to the next ones and keep those before for a day', () => {
    const parity = { sampled: 1, overlapAt10: 0.5, chunks: 2, liveVectors: 2, nextVectors: 2 };
    const after = flipped({ ...filling, next: { ...next('b'), parity } }, nowMs);
    expect(after).toEqual({
      configured: 'b',
      live: model('b'),
      previous: { ...model('a'), keptUntil, parity },
      dropped: [],
    });
    expect(keptModels(after).map(({ id }) => id)).toEqual(['b', 'a']);
    expect(flipped({ ...after, next: next('c') }, nowMs).dropped).toEqual(['a']);
  });

  it('roll back once and forth again', () => {
    const after = flipped(filling, nowMs);
    const back = rolledBack(after, nowMs);
    expect(back).toMatchObject({ live: model('a'), previous: { ...model('b'), keptUntil } });
    expect(rolledBack(back, nowMs).live).toEqual(model('b'));
    expect(withConfigured(back, model('b'), none)).toBe(back);
  });

  it('do nothing that does not apply', () => {
    for (const change of [flipped, rolledBack]) expect(change(fresh, nowMs)).toBe(fresh);
    expect(previousDropped(fresh)).toEqual(fresh);
  });

  it('take an ordered model when it is open, and report why one cannot be opened', () => {
    const waiting = ordered(fresh, { source: 'source of c', hold: true });
    expect(orderSettled(waiting, model('c'), nowMs)).toEqual({ ...fresh, next: next('c', true) });
    expect(orderSettled(waiting, { problem: 'no such file' }, nowMs).order).toEqual({
      source: 'source of c',
      hold: true,
      problem: 'no such file',
    });
    expect(orderSettled(ordered(fresh, { source: 'source of a', hold: false }), model('a'), nowMs)).toEqual(fresh);
  });

  it('drop the previous ones', () => {
    expect(previousDropped(flipped(filling, nowMs))).toEqual({ configured: 'b', live: model('b'), dropped: ['a'] });
  });

  it('are a valid record after each step', () => {
    const after = flipped(filling, nowMs);
    for (const models of [fresh, filling, after, rolledBack(after, nowMs), previousDropped(after)])
      expect(VectorModels.parse(models)).toEqual(models);
  });
});
