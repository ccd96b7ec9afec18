import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CheckSearch, querySubject, systemPrincipal, type Readiness } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { createLogger, createMetrics } from '@cairn/observability';
import { TestNats } from '@cairn/testing';
import { Controller, Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { Ctx, MessagePattern, NatsContext, Payload } from '@nestjs/microservices';
import type { NatsConnection } from './connection.js';
import { queryEndpoints } from './endpoints.js';
import { Requester } from './requester.js';
import { Responder } from './responder.js';
import { startService } from './service.js';

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

const ask = (): Promise<Readiness> => {
  const context = { principal: systemPrincipal(systemIds.next()), correlationId: 'c', id: systemIds.next() };
  return new Requester(nats).query('search.check', {}, context);
};

const start = (handle: Handle, opened: OnApplicationShutdown | Error) =>
  startService({
    name: 'search',
    natsUrl: broker.url,
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
});

describe('a service that cannot start', () => {
  it('rejects with the error of the failed part', async () => {
    const failed = start(
      () => Promise.reject(new Error('never called')),
      new Error('the KEK is of another installation'),
    );
    await expect(failed).rejects.toThrow('the KEK is of another installation');
  });
});
