// Records one example of each message that passes through a broker, for libs/contracts/fixtures/messages. Run it beside
// a Cairn, use what is to be recorded, and end it with Ctrl-C. A fixture that exists is never changed.
// Usage: node tools/record-messages.mjs <NATS_URL>   (of a standalone: `natsUrl` in run.json in its home)
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedSubject } from '@cairn/contracts';
import { connectNats } from '@cairn/messaging';
import { ROOT } from './workspace.mjs';

const FOLDER = join(ROOT, 'libs/contracts/fixtures/messages');
const REQUEST = /^(cmd|qry)\./;
const NOTICE = /^(ntf|gw|ing|vectors|forgotten)\.|^\$KV\.VECTOR_MODELS\./;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @typedef {{ message: unknown, fields: number, size: number }} Example */

/** @type {Map<string, Example>} */
const best = new Map();

/** Requests that are not answered yet, by the subject of their answer. @type {Map<string, { name: string, request: unknown }>} */
const open = new Map();

/** Some notices are a bare name or id. @param {string} text */
const contentOf = (text) => {
  try {
    return /** @type {unknown} */ (JSON.parse(text));
  } catch {
    return text;
  }
};

/** The subject without ids; the kinds of a notice to the console share one. @param {string} subject @param {unknown} message */
const nameOf = (subject, message) => {
  const parts = sharedSubject(subject).replace('$', '').split('.');
  const about = typeof message === 'object' && message && 'about' in message ? [String(message.about)] : [];
  return [...parts.filter((part) => !UUID.test(part)), ...about].join('.');
};

/** The paths of all fields, where the entries of a list count as one. @param {unknown} value @returns {string[]} */
const pathsOf = (value, at = '') => {
  if (Array.isArray(value)) return value.flatMap((inner) => pathsOf(inner, `${at}[]`));
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, `${at}.${name}`));
};

/** Keeps the message with the most fields, and of several the shortest. @param {string} name @param {unknown} message */
const consider = (name, message) => {
  const [fields, size] = [new Set(pathsOf(message)).size, JSON.stringify(message).length];
  const kept = best.get(name);
  if (!kept || fields > kept.fields || (fields === kept.fields && size < kept.size))
    best.set(name, { message, fields, size });
};

/** @param {{ subject: string, reply?: string, string: () => string }} message */
const take = (message) => {
  const { subject, reply } = message;
  const asked = open.get(subject);
  if (!asked && !REQUEST.test(subject) && !NOTICE.test(subject)) return;
  const content = contentOf(message.string());
  if (asked) {
    open.delete(subject);
    if (typeof content === 'object' && content && 'ok' in content)
      consider(asked.name, { request: asked.request, reply: content });
  } else if (NOTICE.test(subject)) consider(nameOf(subject, content), content);
  else if (reply) open.set(reply, { name: nameOf(subject, undefined), request: content });
};

const [url] = process.argv.slice(2);
if (!url) throw new Error('usage: node tools/record-messages.mjs <NATS_URL>');
const nats = await connectNats({ url }, 'record-messages');
nats.subscribe('>', { callback: (error, message) => (error ? undefined : take(message)) });
console.log('recording; end with Ctrl-C');
await Promise.race([once(process, 'SIGINT'), nats.closed()]);
mkdirSync(FOLDER, { recursive: true });
for (const [name, { message }] of best) {
  const file = join(FOLDER, `${name}.json`);
  if (existsSync(file)) continue;
  writeFileSync(file, `${JSON.stringify(message, null, 2)}\n`);
  console.log(`recorded ${name}`);
}
await nats.close();
