import type { ServerResponse } from 'node:http';
import { messageIn, noticeSubject, Notice, type QueryAnswer } from '@cairn/contracts';
import type { CairnPort } from '@cairn/mcp-tools';
import type { NatsConnection } from '@cairn/messaging';
import { sendKeepAlive, type OpenStreams } from '../http/open-streams.js';

const LAG_INTERVAL_MS = 5_000;

export interface EventListener {
  readonly workspaceId: string;
  readonly tokenId: string;
  /** Calls Cairn on behalf of the listener. */
  readonly cairn: CairnPort;
}

/** The event for a notice contains ids only: its reader fetches the rest, and access is checked there. */
const eventOf = ({ about: name, position: _, ...data }: Notice): { readonly name: string; readonly data: object } => ({
  name,
  data,
});

type Lag = QueryAnswer<'projections.get'>['items'];

const lagOf = (items: Lag) =>
  items.map(({ name, checkpoint, head, lagOps, lagSeconds }) => ({ name, checkpoint, head, lagOps, lagSeconds }));

/** One open stream of events. */
class EventWriter {
  private lastLag = '';

  constructor(private readonly res: ServerResponse) {}

  send(name: string, data: object, position?: number): void {
    const id = position === undefined ? '' : `id: ${position}\n`;
    this.write(`event: ${name}\n${id}data: ${JSON.stringify(data)}\n\n`);
  }

  /** Sends only changes: an idle workspace sends nothing. */
  lag(items: Lag): void {
    const data = { items: lagOf(items) };
    const text = JSON.stringify(data);
    if (text === this.lastLag) return;
    this.lastLag = text;
    this.send('projection', data);
  }

  private write(text: string): void {
    if (!this.res.writableEnded && !this.res.destroyed) this.res.write(text);
  }
}

/**
 * Server-sent events for the console: waiting decisions, stored or changed items, the progress of the projections. They
 * come from the broker as they happen; an event that a disconnected reader misses is not sent again.
 */
export class EventStreams {
  private readonly open = new Set<ServerResponse>();

  constructor(
    private readonly nats: NatsConnection,
    private readonly streams: OpenStreams,
  ) {}

  /** Answers and keeps the response open; resolves as soon as no further event can be missed. */
  async serve(res: ServerResponse, { workspaceId, tokenId, cairn }: EventListener): Promise<void> {
    this.streams.hold(res, tokenId);
    const writer = new EventWriter(res);
    const subscription = this.nats.subscribe(noticeSubject(workspaceId), {
      callback: (error, message) => {
        const notice = error ? undefined : messageIn(Notice, message.string());
        if (!notice) return;
        const { name, data } = eventOf(notice);
        writer.send(name, data, notice.position);
      },
    });
    const reportLag = () => cairn.query('projections.get', {}).then(({ items }) => writer.lag(items), ignore);
    const lagTimer = setInterval(() => void reportLag(), LAG_INTERVAL_MS).unref();
    this.open.add(res);
    res.once('close', () => {
      subscription.unsubscribe();
      clearInterval(lagTimer);
      this.open.delete(res);
    });
    await this.nats.flush();
    // A proxy must pass each event on at once.
    res.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    sendKeepAlive(res);
    void reportLag();
  }

  closeAll(): void {
    for (const res of this.open) res.end();
  }
}

/** A failure of search is reported elsewhere; the next round tries again. */
const ignore = (): undefined => undefined;
