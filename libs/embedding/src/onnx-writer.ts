/**
 * The few protobuf messages of ONNX that a plain transformer needs, written by hand; field numbers are those of
 * onnx.proto. A message stays a list of pieces until the very end, so that weights are copied once.
 */
type Pieces = readonly Uint8Array[];
type Attribute = number | { readonly ints: readonly number[] } | { readonly float: number };

export const ONNX_TYPE = { float: 1, uint8: 2, int64: 7 } as const;
const IR_VERSION = 8;
const OPSET_VERSION = 17;
const OUTPUT = 'last_hidden_state';

const varint = (value: number): Uint8Array => {
  const out: number[] = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 128n) return Uint8Array.from([...out, Number(rest)]);
    out.push(Number(rest & 127n) | 128);
  }
};

const int = (field: number, value: number): Pieces => [varint(field << 3), varint(value)];
const float = (field: number, value: number): Pieces => [
  varint((field << 3) | 5),
  new Uint8Array(Float32Array.of(value).buffer),
];
const text = (field: number, value: string): Pieces => message(field, [Buffer.from(value)]);

const message = (field: number, ...parts: readonly Pieces[]): Pieces => {
  const pieces = parts.flat();
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return [varint((field << 3) | 2), varint(length), ...pieces];
};

const attribute = (name: string, value: Attribute): Pieces => {
  if (typeof value === 'number') return message(5, text(1, name), int(3, value), int(20, 2));
  if ('float' in value) return message(5, text(1, name), float(2, value.float), int(20, 1));
  return message(5, text(1, name), ...value.ints.map((item) => int(8, item)), int(20, 7));
};

const valueInfo = (field: number, name: string, type: number, dims: readonly string[]): Pieces => {
  const shape = message(2, ...dims.map((dim) => message(1, text(2, dim))));
  return message(field, text(1, name), message(2, message(1, int(1, type), shape)));
};

/** Collects nodes and constants; each call returns the name of the value it made. */
export class OnnxWriter {
  private readonly nodes: Pieces[] = [];
  private readonly constants: Pieces[] = [];
  private counter = 0;

  node(op: string, inputs: readonly string[], attributes: Readonly<Record<string, Attribute>> = {}): string {
    const output = this.nextName();
    this.push(op, inputs, output, attributes);
    return output;
  }

  floats(values: readonly number[], dims: readonly number[] = []): string {
    return this.constant(ONNX_TYPE.float, dims, new Uint8Array(Float32Array.from(values).buffer));
  }

  ints(values: readonly number[]): string {
    return this.constant(ONNX_TYPE.int64, [values.length], new Uint8Array(BigInt64Array.from(values, BigInt).buffer));
  }

  constant(type: number, dims: readonly number[], raw: Uint8Array): string {
    const name = this.nextName();
    const shape = dims.map((dim) => int(1, dim));
    this.constants.push(message(5, ...shape, int(2, type), text(8, name), message(9, [raw])));
    return name;
  }

  /** A model with one int64 input [batch, tokens] and one float output [batch, tokens, dimensions]. */
  model(input: string, result: string): Uint8Array {
    this.push('Identity', [result], OUTPUT, {});
    const graph = message(
      7,
      ...this.nodes,
      text(2, 'graph'),
      ...this.constants,
      valueInfo(11, input, ONNX_TYPE.int64, ['batch', 'tokens']),
      valueInfo(12, OUTPUT, ONNX_TYPE.float, ['batch', 'tokens', 'dimensions']),
    );
    return Buffer.concat([int(1, IR_VERSION), graph, message(8, int(2, OPSET_VERSION))].flat());
  }

  private push(op: string, inputs: readonly string[], output: string, attributes: Readonly<Record<string, Attribute>>) {
    const encoded = Object.entries(attributes).map(([name, value]) => attribute(name, value));
    this.nodes.push(message(1, ...inputs.map((name) => text(1, name)), text(2, output), text(4, op), ...encoded));
  }

  private nextName(): string {
    return `v${this.counter++}`;
  }
}
