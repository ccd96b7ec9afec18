import { describe, expect, it } from '@jest/globals';
import { buildMiniLmOnnx, readTensors } from './minilm-onnx.js';

const topology = {
  weightsManifest: [
    {
      weights: [
        { name: 'shape', shape: [2], dtype: 'int32' },
        { name: 'table', shape: [2, 3], dtype: 'float32', quantization: { dtype: 'uint8', min: -1, scale: 0.5 } },
      ],
    },
  ],
};

describe('readTensors', () => {
  it('slices the file in the order of the manifest, with one byte per value of a quantised tensor', () => {
    const tensors = readTensors(
      topology,
      Uint8Array.from({ length: 14 }, (_, index) => index),
    );
    expect([...tensors.keys()]).toEqual(['table']);
    expect([...tensors.get('table')!.data]).toEqual([8, 9, 10, 11, 12, 13]);
  });

  it("refuses a file whose length differs from the manifest's total", () => {
    expect(() => readTensors(topology, new Uint8Array(13))).toThrow('has 13 bytes, its manifest says 14');
  });
});

describe('buildMiniLmOnnx', () => {
  it('names the missing tensor', () => {
    expect(() => buildMiniLmOnnx(topology, new Uint8Array(14))).toThrow('the weights hold no tensor unknown');
  });
});
