import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SIGN_IN_CODE_LIFE_MS, SIGN_INS_STREAM } from '@cairn/contracts';
import { startNatsServer } from '@cairn/local-servers';
import { connectNats, type NatsConnection } from '@cairn/messaging';
import { ensureStreams } from '@cairn/op-log';
import { jetstreamManager } from '@nats-io/jetstream';
import { SignInCodes } from './sign-in-codes.js';

const TOKEN = 'cairn_live_token';

let server: Awaited<ReturnType<typeof startNatsServer>>;
let nats: NatsConnection;
let now = Date.now();
let codes: SignInCodes;
let replica: SignInCodes;
const storeDir = mkdtempSync(join(tmpdir(), 'cairn-sign-ins-'));

beforeAll(async () => {
  server = await startNatsServer({ storeDir, syncAlways: false, log: () => undefined });
  nats = await connectNats({ url: server.url }, 'test');
  await ensureStreams(nats);
  [codes, replica] = [0, 1].map(() => new SignInCodes(nats, { now: () => now })) as [SignInCodes, SignInCodes];
});
afterAll(async () => {
  await nats.close();
  await server.stop();
  rmSync(storeDir, { recursive: true, force: true });
});

describe('a sign-in code', () => {
  it('has 128 random bits in hex, so a terminal recognises the whole link', async () => {
    const minted = await Promise.all(Array.from({ length: 50 }, () => codes.mint(TOKEN)));
    for (const { code } of minted) expect(code).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(minted.map(({ code }) => code)).size).toBe(50);
  });

  it('yields its token once, on any replica', async () => {
    const { code } = await codes.mint(TOKEN);
    expect(await replica.redeem(code)).toBe(TOKEN);
    expect([await codes.redeem(code), await replica.redeem(code)]).toEqual([undefined, undefined]);
  });

  it('yields its token once when several replicas redeem it at the same time', async () => {
    const { code } = await codes.mint(TOKEN);
    const answers = await Promise.all([codes, replica, codes, replica].map((each) => each.redeem(code)));
    expect(answers.filter((token) => token !== undefined)).toEqual([TOKEN]);
  });

  it('survives a wrong guess, which yields nothing', async () => {
    const { code } = await codes.mint(TOKEN);
    for (const guess of ['', 'x', code.slice(1), `${code}0`, `${code.toUpperCase()} `, '0'.repeat(32), '*', '>']) {
      expect(await codes.redeem(guess)).toBeUndefined();
    }
    expect(await codes.redeem(code)).toBe(TOKEN);
  });

  it('expires', async () => {
    const { code, expiresAt } = await codes.mint(TOKEN);
    expect(Date.parse(expiresAt)).toBe(now + SIGN_IN_CODE_LIFE_MS);
    now += SIGN_IN_CODE_LIFE_MS - 1;
    const later = await codes.mint(TOKEN);
    now += 1;
    expect(await codes.redeem(code)).toBeUndefined();
    expect(await codes.redeem(later.code)).toBe(TOKEN);
  });

  it('reveals neither itself nor the token to the broker', async () => {
    const { code } = await codes.mint(TOKEN);
    const { streams } = await jetstreamManager(nats);
    const { subject, data } = (await streams.getMessage(SIGN_INS_STREAM, { last_by_subj: 'signin.>' }))!;
    const kept = `${subject} ${Buffer.from(data).toString('latin1')}`;
    expect(kept).not.toContain(code);
    expect(kept).not.toContain(TOKEN);
  });
});
