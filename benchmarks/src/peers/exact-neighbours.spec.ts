import { describe, expect, it } from '@jest/globals';
import { exactNeighbours } from './exact-neighbours.js';

const at = (degrees: number): Float32Array =>
  Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));
const angles = [90, 10, 50, 30, 170, 20];
const vectors = angles.map((degrees) => ({ id: `at-${degrees}`, vector: at(degrees) }));

describe('the exact neighbours', () => {
  it('are the nearest ones, best first', () => {
    expect(exactNeighbours(at(0), vectors, 3)).toEqual(['at-10', 'at-20', 'at-30']);
    expect(exactNeighbours(at(100), vectors, 2)).toEqual(['at-90', 'at-50']);
  });

  it('are all of them if there are fewer than wanted', () => {
    expect(exactNeighbours(at(0), vectors, 10)).toHaveLength(angles.length);
    expect(exactNeighbours(at(0), [], 10)).toEqual([]);
  });
});
