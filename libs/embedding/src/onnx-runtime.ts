import { createRequire } from 'node:module';
import type * as OnnxApi from 'onnxruntime-common';

/** onnxruntime-node 1.17.0 ships without type declarations; its API is that of onnxruntime-common. */
const runtime = createRequire(import.meta.url)('onnxruntime-node') as typeof OnnxApi;

export const { InferenceSession, Tensor } = runtime;
export type InferenceSession = OnnxApi.InferenceSession;
export type SessionOptions = OnnxApi.InferenceSession.SessionOptions;
export type Tensor = OnnxApi.Tensor;
