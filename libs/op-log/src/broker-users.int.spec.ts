import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  APPLIED_SUBJECT,
  BROKER_USERS,
  commandSubject,
  FORGOTTEN_CHUNKS_SUBJECT,
  FORGOTTEN_STREAM,
  forgottenSubject,
  inboxOf,
  INGEST_ALIVE_SUBJECT,
  KEYS_BUCKET,
  LEASES_BUCKET,
  noticeSubject,
  OPLOG_STREAM,
  oplogSubject,
  ownSubject,
  querySubject,
  rateSubject,
  SIGN_INS_STREAM,
  signInSubject,
  sseMessagesSubject,
  TOKEN_REVOKED_SUBJECT,
  TOKEN_WROTE_SUBJECT,
  vectorSubject,
  VECTORS_STREAM,
  type BrokerUser,
} from '@cairn/contracts';
import { connectNats, publishAtomically, type NatsConnection } from '@cairn/messaging';
import { ConfiguredNats, TestNats } from '@cairn/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { errors } from '@nats-io/transport-node';
import { ensureStreams } from './streams.js';

const DEPLOYED = new URL('../../../deploy/nats/', import.meta.url);
const KEYS_STREAM = `KV_${KEYS_BUCKET}`;
const passwords = Object.fromEntries(BROKER_USERS.map((user) => [user, `of-${user}`])) as Record<BrokerUser, string>;

let broker: TestNats;
const connections = new Map<BrokerUser, NatsConnection>();
const as = (user: BrokerUser): NatsConnection => connections.get(user)!;

beforeAll(async () => {
  broker = await TestNats.start({ users: passwords });
  const { host } = new URL(broker.url);
  for (const user of BROKER_USERS)
    connections.set(user, await connectNats({ url: `nats://${user}:${passwords[user]}@${host}` }, user));
  await ensureStreams(as('ingest'));
  await new Kvm(as('ingest')).create(KEYS_BUCKET, { history: 2, allow_direct: true });
});
afterAll(async () => {
  await Promise.all([...connections.values()].map((connection) => connection.close()));
  await broker.stop();
});

const isViolation = (thrown: unknown): boolean =>
  thrown instanceof errors.PermissionViolationError ||
  (thrown instanceof Error && thrown.cause !== undefined && isViolation(thrown.cause));

/** A request that the broker lets through may still fail: nothing answers it, or the message does not exist. */
const isLetThrough = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (thrown: unknown) => !isViolation(thrown),
  );

type Attempt = (nats: NatsConnection) => Promise<boolean>;

const publishes =
  (subject: string): Attempt =>
  (nats) =>
    isLetThrough(publishAtomically(nats, [{ subject, body: 'x' }], 500));

const requests =
  (subject: string): Attempt =>
  (nats) =>
    isLetThrough(nats.request(subject, '{}', { timeout: 500 }));

const subscribes =
  (subject: string): Attempt =>
  async (nats) => {
    let isRefused = false;
    const callback = (error: Error | null): void => {
      isRefused ||= isViolation(error);
    };
    const subscription = nats.subscribe(subject, { callback });
    await nats.flush();
    subscription.unsubscribe();
    return !isRefused;
  };

const manages =
  (act: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<unknown>): Attempt =>
  async (nats) =>
    isLetThrough(act(await jetstreamManager(nats, { checkAPI: false })));

const erases = (stream: string): Attempt => manages(({ streams }) => streams.deleteMessage(stream, 1_000, true));
const reads = (stream: string): Attempt => manages(({ direct }) => direct.getMessage(stream, { seq: 1_000 }));
const follows =
  (stream: string): Attempt =>
  (nats) =>
    isLetThrough(jetstream(nats, { checkAPI: false }).consumers.get(stream, { deliver_policy: 'new' as never }));

const OPS = 'oplog.workspace.item';

/** Every attempt that must have a bound, with the users who are let through. */
const MATRIX: readonly [attempt: string, act: Attempt, allowed: readonly BrokerUser[]][] = [
  ['append to the log', publishes(oplogSubject('workspace', 'item')), ['ingest']],
  ['publish a vector', publishes(vectorSubject('workspace', 'item')), ['embedder', 'ingest']],
  ['write a key', publishes(`$KV.${KEYS_BUCKET}.workspace.item`), ['ingest']],
  ['write to the forget ledger', publishes(forgottenSubject('workspace', 'receipt')), ['ingest']],
  ['count a call', publishes(rateSubject('token', 'calls', 1)), ['gateway']],
  ['store a sign-in code', publishes(signInSubject('hash')), ['gateway']],
  ['read a key', reads(KEYS_STREAM), ['ingest', 'search', 'embedder', 'cli']],
  ['follow the keys', follows(KEYS_STREAM), ['ingest']],
  ['read an op', reads(OPLOG_STREAM), ['ingest', 'search', 'embedder', 'cli']],
  ['follow the log', follows(OPLOG_STREAM), ['ingest', 'embedder', 'cli']],
  ['read a sign-in code', manages(({ streams }) => streams.getMessage(SIGN_INS_STREAM, { seq: 1 })), ['gateway']],
  ['erase an op', erases(OPLOG_STREAM), ['ingest']],
  ['erase a vector', erases(VECTORS_STREAM), ['ingest']],
  ['erase a key', erases(KEYS_STREAM), ['ingest']],
  ['purge the log', manages(({ streams }) => streams.purge(OPLOG_STREAM)), []],
  ['purge the keys', manages(({ streams }) => streams.purge(KEYS_STREAM)), []],
  ['delete the log', manages(({ streams }) => streams.delete(OPLOG_STREAM)), []],
  ['delete the keys', manages(({ streams }) => streams.delete(KEYS_STREAM)), []],
  ['delete the forget ledger', manages(({ streams }) => streams.delete(FORGOTTEN_STREAM)), []],
  ['replace the vectors', manages(({ streams }) => streams.delete(VECTORS_STREAM)), ['ingest']],
  ['change the log', manages(({ streams }) => streams.update(OPLOG_STREAM, { num_replicas: 1 })), ['ingest']],
  ['copy the keys', manages(({ streams }) => streams.add({ name: 'COPY', mirror: { name: KEYS_STREAM } })), []],
  ['send a command', requests(commandSubject('item.store')), ['gateway', 'cli']],
  ['send a query', requests(querySubject('chunks.search')), ['gateway', 'cli']],
  ['ask for the vector of a query', requests(querySubject('query.embed')), ['gateway', 'search', 'cli']],
  ['answer a command', subscribes(commandSubject('item.store')), ['ingest']],
  ['answer all commands', subscribes('cmd.>'), ['ingest']],
  ['answer a query', subscribes(querySubject('chunks.search')), ['search']],
  ['answer a query of the embedder', subscribes(querySubject('query.embed')), ['embedder']],
  ['answer a query of ingest', subscribes(querySubject('ingest.get')), ['ingest']],
  ['announce a revoked token', publishes(TOKEN_REVOKED_SUBJECT), ['ingest']],
  ['announce a change', publishes(noticeSubject('workspace')), ['ingest']],
  ['receive changes', subscribes(noticeSubject('workspace')), ['gateway']],
  ['receive ids of forgotten chunks', subscribes(FORGOTTEN_CHUNKS_SUBJECT), ['search']],
  ['send a message to a session of another gateway', publishes(sseMessagesSubject('replica')), ['gateway']],
  ['receive what gateways send each other', subscribes(TOKEN_WROTE_SUBJECT), ['gateway']],
  ['send a command to one replica', requests(ownSubject(commandSubject('item.store'), 'replica')), ['gateway', 'cli']],
  ['take the commands of one replica', subscribes(ownSubject(commandSubject('item.store'), 'replica')), ['ingest']],
  ['take a lease', publishes(`$KV.${LEASES_BUCKET}.work`), ['ingest']],
  ['report what was applied', publishes(APPLIED_SUBJECT), ['ingest']],
  ['announce an ingest', publishes(INGEST_ALIVE_SUBJECT), ['ingest']],
  ['learn which ingests live', subscribes(INGEST_ALIVE_SUBJECT), ['gateway']],
  ['listen to appends', subscribes(OPS), []],
  ['listen to everything', subscribes('>'), []],
  [
    'forge an answer to the gateway',
    publishes(`${inboxOf('gateway')}.x.y`),
    ['gateway', 'ingest', 'search', 'embedder'],
  ],
  ...BROKER_USERS.map((user): [string, Attempt, readonly BrokerUser[]] => [
    `read the answers to ${user}`,
    subscribes(`${inboxOf(user)}.>`),
    [user],
  ]),
];

describe('the users of the broker', () => {
  it.each(MATRIX)('only some may %s', async (_, act, allowed) => {
    const found = await Promise.all(BROKER_USERS.map(async (user) => ((await act(as(user))) ? [user] : [])));
    expect(found.flat().sort()).toEqual([...allowed].sort());
  });

  it('are those of deploy/nats/users.conf, which nats-server accepts with the generated permissions', async () => {
    const lines = BROKER_USERS.map((user) => `CAIRN_${user.toUpperCase()}_PASSWORD = "${passwords[user]}"`);
    const deployed = await ConfiguredNats.start('include "users.conf"', {
      'users.conf': readFileSync(new URL('users.conf', DEPLOYED), 'utf8'),
      'permissions.conf': readFileSync(new URL('permissions.conf', DEPLOYED), 'utf8'),
      'passwords.conf': lines.join('\n'),
    });
    for (const user of BROKER_USERS) {
      const url = `nats://${user}:${passwords[user]}@${deployed.host}`;
      const nats = await connectNats({ url }, user);
      expect(await publishes(oplogSubject('workspace', 'item'))(nats)).toBe(user === 'ingest');
      await nats.close();
    }
    await deployed.stop();
  });

  it('are not interchangeable: a service with the user of another ends its start', async () => {
    const { host } = new URL(broker.url);
    const url = `nats://search:${passwords.search}@${host}`;
    await expect(connectNats({ url }, 'gateway')).rejects.toThrow(
      `NATS at nats://${host} does not give the user or password of NATS_URL the rights of gateway; each service needs its own user`,
    );
  });

  it('have passwords: a connection without one, or with that of another user, is refused', async () => {
    const { host } = new URL(broker.url);
    await expect(connectNats({ url: broker.url }, 'stranger')).rejects.toThrow(
      `NATS at nats://${host} refuses a connection without credentials; set NATS_USER and NATS_PASSWORD_FILE`,
    );
    const url = `nats://ingest:${passwords.gateway}@${host}`;
    await expect(connectNats({ url }, 'ingest')).rejects.toThrow(
      `NATS at nats://${host} refuses the user or password of NATS_URL; check that the broker has this user`,
    );
  });
});
