/** Entry point of an embedding process: loads the model, proves it with one run, then answers one text at a time. */
import { OnnxInference } from './onnx-inference.js';
import type { OnnxModelSpec } from './onnx-model-spec.js';
import type { WorkerMessage } from './worker-protocol.js';

/** Without its parent the process has no work and no receiver for results. */
const send = (message: WorkerMessage): void =>
  void process.send!(message, undefined, undefined, (error: Error | null) => error && process.exit(0));
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

// Nothing in this process needs to be kept once the parent is gone.
process.on('disconnect', () => process.exit(0));
// The parent handles a signal to the process group: it decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

const load = async (spec: OnnxModelSpec): Promise<void> => {
  const inference = await OnnxInference.load(spec);
  const probe = await inference.infer('ready?');
  process.on('message', (text: string) => {
    inference.infer(text).then(
      (vector) => send({ type: 'vector', vector }),
      (error: unknown) => send({ type: 'failed', reason: reasonOf(error) }),
    );
  });
  send({ type: 'ready', dimensions: probe.length });
};

process.once('message', (spec: OnnxModelSpec) => {
  load(spec).catch((error: unknown) => send({ type: 'not-loaded', reason: reasonOf(error) }));
});
