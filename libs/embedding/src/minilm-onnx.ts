import { z } from 'zod';
import { ONNX_TYPE, OnnxWriter } from './onnx-writer.js';

const LAYERS = 6;
const HEADS = 12;
const HEAD_SIZE = 32;
const NORM_EPSILON = 1e-12;
const BERT = 'StatefulPartitionedCall/model/tf_bert_model/bert';
const INPUT = 'input_ids';

const Topology = z.object({
  weightsManifest: z.tuple([
    z.object({
      weights: z.array(
        z.object({
          name: z.string(),
          shape: z.array(z.int()),
          quantization: z.object({ dtype: z.literal('uint8'), min: z.number(), scale: z.number() }).optional(),
        }),
      ),
    }),
  ]),
});

interface Tensor {
  readonly shape: readonly number[];
  readonly data: Uint8Array;
  readonly min: number;
  readonly scale: number;
}

/**
 * Builds all-MiniLM-L6-v2 as ONNX from TensorFlow.js weights. It takes one unpadded text at a time, so the graph has
 * neither an attention mask nor token types; pooling is left to the caller. Weights stay 8-bit inside the file.
 */
export const buildMiniLmOnnx = (topology: unknown, bytes: Uint8Array): Uint8Array => {
  const graph = new MiniLmGraph(readTensors(topology, bytes));
  return graph.build();
};

/** Slices the weights file in the manifest's order; a file of another length does not belong to the manifest. */
export const readTensors = (topology: unknown, bytes: Uint8Array): ReadonlyMap<string, Tensor> => {
  const tensors = new Map<string, Tensor>();
  let at = 0;
  for (const { name, shape, quantization } of Topology.parse(topology).weightsManifest[0].weights) {
    const length = shape.reduce((product, size) => product * size, 1) * (quantization === undefined ? 4 : 1);
    if (quantization !== undefined)
      tensors.set(name, { shape, data: bytes.subarray(at, at + length), ...quantization });
    at += length;
  }
  if (at !== bytes.length) throw new Error(`the weights file has ${bytes.length} bytes, its manifest says ${at}`);
  return tensors;
};

class MiniLmGraph {
  private readonly onnx = new OnnxWriter();

  constructor(private readonly tensors: ReadonlyMap<string, Tensor>) {}

  build(): Uint8Array {
    let hidden = this.embeddings();
    for (let layer = 0; layer < LAYERS; layer++) hidden = this.layer(hidden, `${BERT}/encoder/layer_._${layer}`);
    return this.onnx.model(INPUT, hidden);
  }

  /** Words are looked up while still 8-bit: the table is half of the model, and only a few rows are ever needed. */
  private embeddings(): string {
    const { onnx } = this;
    const words = this.dequantise('unknown', (table) => onnx.node('Gather', [table, INPUT], { axis: 0 }));
    const length = onnx.node('Gather', [onnx.node('Shape', [INPUT]), onnx.ints([1])], { axis: 0 });
    const positions = onnx.node('Slice', [this.weight('unknown_0'), onnx.ints([0]), length, onnx.ints([0])]);
    const firstType = onnx.node('Gather', [this.weight('unknown_1'), onnx.ints([0])], { axis: 0 });
    const sum = this.add(this.add(words, positions), firstType);
    return this.layerNorm(sum, `${BERT}/embeddings/LayerNorm`);
  }

  private layer(input: string, name: string): string {
    const attended = this.dense(this.attention(input, `${name}/attention/self`), `${name}/attention/output/dense`);
    const middle = this.layerNorm(this.add(input, attended), `${name}/attention/output/LayerNorm`);
    const wide = this.gelu(this.dense(middle, `${name}/intermediate/dense`));
    return this.layerNorm(this.add(middle, this.dense(wide, `${name}/output/dense`)), `${name}/output/LayerNorm`);
  }

  private attention(input: string, name: string): string {
    const { onnx } = this;
    const query = this.heads(this.dense(input, `${name}/query`), [0, 2, 1, 3]);
    const keys = this.heads(this.dense(input, `${name}/key`), [0, 2, 3, 1]);
    const values = this.heads(this.dense(input, `${name}/value`), [0, 2, 1, 3]);
    const scores = onnx.node('Mul', [onnx.node('MatMul', [query, keys]), onnx.floats([1 / Math.sqrt(HEAD_SIZE)])]);
    const mixed = onnx.node('MatMul', [onnx.node('Softmax', [scores], { axis: -1 }), values]);
    const joined = onnx.node('Transpose', [mixed], { perm: { ints: [0, 2, 1, 3] } });
    return onnx.node('Reshape', [joined, onnx.ints([0, 0, HEADS * HEAD_SIZE])]);
  }

  private heads(input: string, perm: readonly number[]): string {
    const split = this.onnx.node('Reshape', [input, this.onnx.ints([0, 0, HEADS, HEAD_SIZE])]);
    return this.onnx.node('Transpose', [split], { perm: { ints: perm } });
  }

  private dense(input: string, name: string): string {
    const product = this.onnx.node('MatMul', [input, this.weight(`${name}/Tensordot/ReadVariableOp`)]);
    return this.add(product, this.weight(`${name}/BiasAdd/ReadVariableOp`));
  }

  private gelu(input: string): string {
    const { onnx } = this;
    const erf = onnx.node('Erf', [onnx.node('Div', [input, onnx.floats([Math.SQRT2])])]);
    const gate = onnx.node('Mul', [this.add(erf, onnx.floats([1])), onnx.floats([0.5])]);
    return onnx.node('Mul', [input, gate]);
  }

  private layerNorm(input: string, name: string): string {
    const scale = this.weight(`${name}/batchnorm/mul/ReadVariableOp`);
    const bias = this.weight(`${name}/batchnorm/ReadVariableOp`);
    return this.onnx.node('LayerNormalization', [input, scale, bias], { axis: -1, epsilon: { float: NORM_EPSILON } });
  }

  private add(a: string, b: string): string {
    return this.onnx.node('Add', [a, b]);
  }

  private weight(name: string): string {
    return this.dequantise(name, (table) => table);
  }

  /** value = q * scale + min, as written by the converter; the runtime folds it for whole tensors at load time. */
  private dequantise(name: string, select: (table: string) => string): string {
    const tensor = this.tensors.get(name);
    if (tensor === undefined) throw new Error(`the weights hold no tensor ${name}`);
    const table = this.onnx.constant(ONNX_TYPE.uint8, tensor.shape, tensor.data);
    const whole = this.onnx.node('Cast', [select(table)], { to: ONNX_TYPE.float });
    const scaled = this.onnx.node('Mul', [whole, this.onnx.floats([tensor.scale])]);
    return this.add(scaled, this.onnx.floats([tensor.min]));
  }
}
