import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CheckEmbedder, CheckSearch, querySubject, systemPrincipal, type Readiness } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { createLogger, createMetrics } from '@cairn/observability';
import { ConfiguredNats, TestNats } from '@cairn/testing';
import { Controller, Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { Ctx, MessagePattern, NatsContext, Payload } from '@nestjs/microservices';
import type { NatsConnection } from './connection.js';
import { queryEndpoints } from './endpoints.js';
import { WHEN_READY } from './nats-transport.js';
import { Requester } from './requester.js';
import { Responder } from './responder.js';
import { startService, STOPPING, TAKE_ALL } from './service.js';

const HANDLE = Symbol('handle');
type Handle = () => Promise<Readiness>;

@Controller()
class CheckController {
  constructor(
    @Inject(HANDLE) private readonly handle: Handle,
    @Inject(Responder) private readonly responder: Responder,
  ) {}

  @MessagePattern([querySubject(CheckSearch.type)])
  answer(@Payload() bytes: Uint8Array, @Ctx() context: NatsContext): Promise<string> {
    const endpoints = queryEndpoints([CheckSearch], { 'search.check': this.handle });
    return this.responder.answer(endpoints, context.getSubject(), bytes);
  }

  @MessagePattern([querySubject(CheckEmbedder.type)], WHEN_READY)
  answerWhenReady(@Payload() bytes: Uint8Array, @Ctx() context: NatsContext): Promise<string> {
    const endpoints = queryEndpoints([CheckEmbedder], { 'embedder.check': this.handle });
    return this.responder.answer(endpoints, context.getSubject(), bytes);
  }
}

@Module({})
class CheckModule {
  static register(handle: Handle, opened: OnApplicationShutdown | Error): DynamicModule {
    const open = (): OnApplicationShutdown => {
      if (opened instanceof Error) throw opened;
      return opened;
    };
    return {
      module: CheckModule,
      controllers: [CheckController],
      providers: [
        { provide: HANDLE, useValue: handle },
        { provide: 'opened', useFactory: open },
      ],
    };
  }
}

const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });
let broker: TestNats;
let nats: NatsConnection;

beforeAll(async () => {
  broker = await TestNats.start();
  nats = await broker.connect();
});
afterAll(() => broker.stop());

const ask = (type: 'search.check' | 'embedder.check' = 'search.check'): Promise<Readiness> => {
  const context = { principal: systemPrincipal(systemIds.next()), correlationId: 'c', id: systemIds.next() };
  return new Requester(nats).query(type, {}, context);
};

const READY: Readiness = { ready: true, notes: [] };
const NOTHING_OPEN = { onApplicationShutdown: () => undefined };

/** A handler that answers when it is let go. */
const heldHandler = () => {
  let letGo = (): void => undefined;
  let begun = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const isHandling = new Promise<void>((resolve) => (begun = resolve));
  const handle = async (): Promise<Readiness> => {
    begun();
    await held;
    return READY;
  };
  return { handle, isHandling, letGo: () => letGo() };
};

const start = (handle: Handle, opened: OnApplicationShutdown | Error, url = broker.url) =>
  startService({
    name: 'search',
    nats: { url },
    module: CheckModule.register(handle, opened),
    logger,
    metrics: createMetrics(),
  });

describe('a service that stops', () => {
  it('answers the accepted requests before it closes its resources, and accepts no new ones', async () => {
    const order: string[] = [];
    let finish: () => void = () => undefined;
    const taken = new Promise<void>((resolve) => (finish = resolve));
    let begun: () => void = () => undefined;
    const isHandling = new Promise<void>((resolve) => (begun = resolve));
    const handle = async (): Promise<Readiness> => {
      begun();
      await taken;
      order.push('answered');
      return { ready: true, notes: [] };
    };
    const service = await start(handle, { onApplicationShutdown: () => void order.push('closed') });
    const answer = ask();
    await isHandling;
    const closed = service.close();
    await nats.flush();
    await expect(ask()).rejects.toMatchObject({ code: 'service.unavailable' });
    finish();
    expect(await answer).toEqual({ ready: true, notes: [] });
    await closed;
    expect(order).toEqual(['answered', 'closed']);
  });

  it('loses no request of callers that do not know that it stops, while another replica runs', async () => {
    const [leaving, staying] = [
      await start(() => Promise.resolve(READY), NOTHING_OPEN),
      await start(() => Promise.resolve(READY), NOTHING_OPEN),
    ];
    const asked: Promise<Readiness>[] = [];
    let isStopped = false;
    const stopped = leaving.close().then(() => (isStopped = true));
    while (!isStopped) {
      for (let i = 0; i < 20; i++) asked.push(ask());
      await asked.at(-1);
    }
    await stopped;
    expect(await Promise.all(asked)).toEqual(asked.map(() => READY));
    await staying.close();
  });

  it('aborts long waits only after the accepted requests are answered', async () => {
    const { handle, isHandling, letGo } = heldHandler();
    const service = await start(handle, NOTHING_OPEN);
    const stopping = service.app.get<AbortSignal>(STOPPING);
    const answer = ask();
    await isHandling;
    const closed = service.close();
    await expect(ask()).rejects.toMatchObject({ code: 'service.unavailable' });
    expect(stopping.aborted).toBe(false);
    letGo();
    expect(await answer).toEqual(READY);
    await closed;
    expect(stopping.aborted).toBe(true);
  });

  it('can be stopped twice', async () => {
    const { handle, isHandling, letGo } = heldHandler();
    const service = await start(handle, NOTHING_OPEN);
    const answer = ask();
    await isHandling;
    const closed = Promise.all([service.close(), service.close()]);
    letGo();
    expect(await answer).toEqual(READY);
    await closed;
  });
});

describe('a service that is not ready for all of its requests', () => {
  it('leaves them to other replicas until it is', async () => {
    const service = await start(() => Promise.resolve(READY), NOTHING_OPEN);
    expect(await ask()).toEqual(READY);
    await expect(ask('embedder.check')).rejects.toMatchObject({ code: 'service.unavailable' });
    const takeAll = service.app.get<() => void>(TAKE_ALL);
    takeAll();
    takeAll();
    await service.app.unwrap<NatsConnection>().flush();
    expect(await ask('embedder.check')).toEqual(READY);
    await service.close();
    await expect(ask('embedder.check')).rejects.toMatchObject({ code: 'service.unavailable' });
  });
});

describe('a service that cannot start', () => {
  it('rejects with the error of the failed part', async () => {
    const failed = start(
      () => Promise.reject(new Error('never called')),
      new Error('the KEK is of another installation'),
    );
    await expect(failed).rejects.toThrow('the KEK is of another installation');
  });

  it('ends when the broker does not let it receive its requests', async () => {
    const strict = await ConfiguredNats.start(
      'authorization { users: [{ user: search, password: x, permissions: { subscribe: "_INBOX.search.>" } }] }',
    );
    const ready = () => Promise.resolve({ ready: true, notes: [] });
    let isClosed = false;
    const starting = start(
      ready,
      { onApplicationShutdown: () => void (isClosed = true) },
      `nats://search:x@${strict.host}`,
    );
    await expect(starting).rejects.toThrow(
      `NATS at nats://${strict.host} does not let search receive qry.search.check.v1; give the broker the current deploy/nats/permissions.conf`,
    );
    expect(isClosed).toBe(true);
    await strict.stop();
  });
});
