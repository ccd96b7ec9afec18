/** The data that a worker needs to load a model. It crosses the process border, so it is plain data. */
export interface OnnxModelSpec {
  readonly id: string;
  readonly label: string;
  /**
   * `onnx` is a model file; `tfjs` is a folder of TensorFlow.js weights for all-MiniLM, converted to ONNX in memory.
   */
  readonly weights:
    { readonly kind: 'onnx'; readonly file: string } | { readonly kind: 'tfjs'; readonly directory: string };
  readonly tokenizerFile: string;
  readonly pooling: 'cls' | 'mean';
  readonly queryPrefix: string;
  readonly maxTokens: number;
}

export const BGE_QUERY_PREFIX = 'Represent this sentence for searching relevant passages: ';
