import type { Api } from './api.js';
import { ApiError } from './api-error.js';
import { backoffMs, SseParser, type ServerEvent } from './sse.js';

export interface EventListener {
  readonly onOpen: () => void;
  readonly onEvent: (event: ServerEvent) => void;
  readonly onLost: () => void;
  /** This token may not follow events, so no retry is made. */
  readonly onRefused: () => void;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });

type Outcome = 'was open' | 'failed' | 'refused';

/** Reads one stream to its end. */
const readOnce = async (api: Api, listener: EventListener, signal: AbortSignal): Promise<Outcome> => {
  let outcome: Outcome = 'failed';
  try {
    const stream = await api.events(signal);
    outcome = 'was open';
    listener.onOpen();
    const parser = new SseParser();
    const reader = stream.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return outcome;
      parser.push(value).forEach((event) => listener.onEvent(event));
    }
  } catch (thrown) {
    const isRefused = thrown instanceof ApiError && (thrown.status === 401 || thrown.status === 404);
    return isRefused ? 'refused' : outcome;
  }
};

/** Follows the events until the signal aborts. EventSource cannot send the Authorization header, so this uses fetch. */
export const followEvents = async (api: Api, listener: EventListener, signal: AbortSignal): Promise<void> => {
  let failures = 0;
  while (!signal.aborted) {
    const outcome = await readOnce(api, listener, signal);
    if (signal.aborted) return;
    if (outcome === 'refused') return listener.onRefused();
    failures = outcome === 'was open' ? 0 : failures + 1;
    listener.onLost();
    await pause(backoffMs(failures), signal);
  }
};
