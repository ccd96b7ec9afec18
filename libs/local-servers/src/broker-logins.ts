import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BROKER_USERS, type BrokerUser } from '@cairn/contracts';
import type { BrokerPasswords } from './nats-server.js';
import { newPassword } from './new-password.js';

export interface BrokerLogins {
  readonly passwords: BrokerPasswords;
  /** The variables of a process that connects as this user. */
  envOf(user: BrokerUser): { readonly NATS_USER: string; readonly NATS_PASSWORD_FILE: string };
}

const forEachUser = <T>(make: (user: BrokerUser) => T): Readonly<Record<BrokerUser, T>> =>
  Object.fromEntries(BROKER_USERS.map((user) => [user, make(user)])) as Record<BrokerUser, T>;

/** A new password for each user of the broker, in a file that only this user of the machine may read. */
export const newBrokerLogins = (dataDir: string): BrokerLogins => {
  const dir = join(dataDir, 'secrets');
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const passwords = forEachUser(() => newPassword());
  const files = forEachUser((user) => join(dir, `nats-${user}`));
  for (const user of BROKER_USERS) writeFileSync(files[user], `${passwords[user]}\n`, { mode: 0o600 });
  return { passwords, envOf: (user) => ({ NATS_USER: user, NATS_PASSWORD_FILE: files[user] }) };
};
