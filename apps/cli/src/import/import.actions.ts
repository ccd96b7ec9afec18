import { createHash } from 'node:crypto';
import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { hasScope, Tag, TAGS_MAX, type Principal } from '@cairn/contracts';
import { loadConfig } from '@cairn/kernel';
import { printReport, type CommandContext } from '../command-context.js';
import { EXIT, UsageError } from '../exit.js';
import { gatewayEnv, type GatewayEnv } from '../gateway-env.js';
import { FileSender } from './file-sender.js';
import { groupFiles } from './group-files.js';
import { ImportJournal } from './import-journal.js';
import { dryRunLines, progressBar, progressLine, reportLines } from './import-output.js';
import { Preview } from './preview-import.js';
import { folderIdsOf } from '../rest/folder-id.js';
import { restAddress, type RestAddress } from '../rest/rest-address.js';
import { RestClient, ScopeMissing } from '../rest/rest-client.js';
import { Import, type ImportReport, type ImportRun } from './run-import.js';
import type { ImportTarget } from './upload-file.js';
import { walkFolder } from './walk-folder.js';

export interface ImportOptions {
  readonly url?: string;
  readonly token?: string;
  readonly folder?: string;
  readonly tags?: string;
  readonly concurrency: string;
  readonly journal?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const CONCURRENCY_MAX = 16;
/** A log of a long import should stay short. */
const PROGRESS_EVERY_MS = { terminal: 100, elsewhere: 10_000 };

const rootOf = (folder: string): string => {
  try {
    const root = realpathSync(folder);
    readdirSync(root);
    return root;
  } catch {
    throw new UsageError(`${folder} is not a folder that can be read`);
  }
};

const tagsOf = (list: string | undefined): string[] => {
  const tags = list === undefined ? [] : list.split(',').map((tag) => Tag.safeParse(tag.trim()));
  if (tags.some(({ success }) => !success) || tags.length > TAGS_MAX)
    throw new UsageError(`--tags takes up to ${TAGS_MAX} words of a-z, 0-9 and hyphens, separated by commas`);
  return tags.map(({ data }) => data!);
};

const concurrencyOf = (text: string): number => {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= CONCURRENCY_MAX) return number;
  throw new UsageError(`--concurrency takes a number from 1 to ${CONCURRENCY_MAX}`);
};

/** Checked before anything is sent, also on a dry run. A token without the `read` scope may not call `/whoami`. */
const checkMayWrite = async (client: RestClient): Promise<void> => {
  const caller = await client.get<Pick<Principal, 'scopes'>>('/whoami');
  if (!hasScope(caller, 'write')) throw client.scopeMissing('write');
};

/**
 * Requested before anything is sent, so a wrong address or token is reported at once. Folder ids are unique, so the
 * first folder that the token sees identifies the workspace. A write-only token sees no folder and identifies itself.
 */
const placeOf = async (client: RestClient, { token }: RestAddress): Promise<string> => {
  try {
    await checkMayWrite(client);
    const { items } = await client.get<{ readonly items: readonly { readonly id: string }[] }>('/folders?limit=1');
    return items[0]?.id ?? token;
  } catch (thrown) {
    if (thrown instanceof ScopeMissing && thrown.scope === 'read') return token;
    throw thrown;
  }
};

/**
 * Each source and target has its own journal, so an import into another workspace or with other tags starts from
 * scratch.
 */
const journalFile = (
  env: GatewayEnv,
  { server }: RestAddress,
  place: string,
  { root, folderId, tags }: ImportTarget,
): string => {
  const name = createHash('sha256').update(JSON.stringify([server, folderId ?? place, root, folderId ?? null, tags]));
  return join(env.CAIRN_HOME, 'imports', `${name.digest('hex').slice(0, 16)}.jsonl`);
};

/** Runs with one progress line that is updated on a terminal, or with a line now and then elsewhere. */
const withProgress = async (running: Import, context: CommandContext): Promise<ImportReport> => {
  const isTerminal = process.stderr.isTTY;
  const show = (): void =>
    isTerminal
      ? void process.stderr.write(`\r\u001b[K${progressBar(running.progress)}`)
      : context.err(progressLine(running.progress));
  const timer = setInterval(show, isTerminal ? PROGRESS_EVERY_MS.terminal : PROGRESS_EVERY_MS.elsewhere);
  try {
    return await running.complete();
  } finally {
    clearInterval(timer);
    show();
    if (isTerminal) process.stderr.write('\n');
  }
};

/** The first Ctrl-C ends the run cleanly. Uploads in progress are abandoned, since they can be sent again. */
const interruptible = async <T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await run(controller.signal);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
};

type Running = Omit<ImportRun, 'handle' | 'groups' | 'client'> & { readonly client: RestClient };

const sendAll = async (context: CommandContext, running: Running, journal: ImportJournal, target: ImportTarget) => {
  journal.prepare();
  const { handle } = new FileSender(running.client, journal, target);
  const report = await withProgress(
    new Import({ ...running, groups: groupFiles(running.walk.files), handle }),
    context,
  );
  return { report, shown: { ...report, journal: journal.file }, lines: reportLines(report) };
};

const previewAll = async (
  context: CommandContext,
  running: Running,
  journal: ImportJournal,
  { root }: ImportTarget,
) => {
  const preview = new Preview(journal, root, running.concurrency);
  const groups = running.walk.files.map((file) => [file]);
  const handle: ImportRun['handle'] = (files) => Promise.allSettled(files.map(preview.handle));
  const report = await withProgress(new Import({ ...running, groups, handle }), context).finally(() => preview.close());
  const { imported: _, ...rest } = report;
  const files = preview.wouldImport(running.walk.files);
  return { report, shown: { files, ...rest, journal: journal.file }, lines: dryRunLines(files, report) };
};

export const importAction = (context: CommandContext, folder: string, options: ImportOptions) => {
  const env = loadConfig(gatewayEnv, context.env);
  const root = rootOf(folder);
  const tags = tagsOf(options.tags);
  const concurrency = concurrencyOf(options.concurrency);
  const walk = walkFolder(root);
  return interruptible(async (signal) => {
    const address = restAddress(env, options);
    const client = new RestClient(address, signal);
    const place = await placeOf(client, address);
    const [folderId] = options.folder === undefined ? [] : await folderIdsOf(client, [options.folder]);
    const target = { root, folderId, tags };
    const journal = new ImportJournal(options.journal ?? journalFile(env, address, place, target));
    const run = options.dryRun ? previewAll : sendAll;
    const { report, shown, lines } = await run(context, { client, walk, concurrency, signal }, journal, target);
    printReport(context, options.json, shown, lines);
    context.exit(report.failed.length === 0 && report.stopped === undefined ? EXIT.ok : EXIT.partial);
  });
};
