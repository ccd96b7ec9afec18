/** Entry point of an embedding thread: loads the model, proves it with one run, then answers one text at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import { OnnxInference } from './onnx-inference.js';
import type { OnnxModelSpec } from './onnx-model-spec.js';
import { STOP, type WorkerMessage } from './worker-protocol.js';

const port = parentPort!;
const post = (message: WorkerMessage): void => port.postMessage(message);

const inference = await OnnxInference.load(workerData as OnnxModelSpec);
const probe = await inference.infer('ready?');

port.on('message', (text: string | typeof STOP) => {
  if (text === STOP) return port.close();
  inference.infer(text).then(
    (vector) => post({ type: 'vector', vector }),
    (error: unknown) => post({ type: 'failed', reason: error instanceof Error ? error.message : String(error) }),
  );
});
post({ type: 'ready', dimensions: probe.length });
