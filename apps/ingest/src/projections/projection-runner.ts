import { fail, plural } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import type { Logger, Metrics } from '@cairn/observability';
import { Projector, type OpLog, type StoredOp, type StoredVector, type VectorLog } from '@cairn/op-log';
import type { OpenSearchClient } from '@cairn/persistence';
import {
  archiveProjection,
  CHECKPOINT_ONLY,
  CHUNKS_ALIAS,
  dropSlot,
  ensureSlot,
  hasTables,
  lexicalLibrary,
  libraryProjection,
  OpenSearchLexicalWriter,
  OpenSearchTarget,
  postgresLexicalProjection,
  PostgresTarget,
  readSlot,
  removeSensitiveDocuments,
  vectorsProjection,
  type Bm25,
  type Member,
  type PostgresProjection,
} from '@cairn/projections';
import { installLegs } from '@cairn/retrieval';
import type { Vault } from '@cairn/vault';
import type { Pool } from 'pg';

export interface ProjectionRunnerOptions {
  readonly pool: Pool;
  readonly log: OpLog;
  readonly vectors: VectorLog;
  readonly vault: Vault;
  readonly openSearch?: OpenSearchClient | undefined;
  readonly bm25: Bm25;
  /** How long a change waits for the keyword index before it is answered without. */
  readonly keywordIndexWaitMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const FIRST_EPOCH = 1;
const PROGRESS_EVERY_MS = 1_000;
/** A vector costs the embedded database some milliseconds, and nobody else is served meanwhile. */
const LIVE_VECTORS_MAX = 8;

const MAY_COUNT_SENSITIVE =
  'the keyword index may still count texts of sensitive folders: run `cairn oplog replay lexical`, then `cairn oplog promote lexical --yes`';

/** Runs every projector of this process: the one that answers wait for, and those that follow. */
export class ProjectionRunner {
  private library!: Projector<StoredOp>;
  /** Of OpenSearch; in Postgres the keyword index commits together with the library. */
  private lexical: Projector<StoredOp> | undefined;
  private followers: readonly { start(): void; stop(): Promise<void>; readonly name: string }[] = [];
  /** What was left in the keyword index by an earlier build is taken out beside everything else. */
  private cleaning: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private lastReportMs = 0;
  private catchUpTo = 0;

  constructor(private readonly options: ProjectionRunnerOptions) {}

  async start(): Promise<void> {
    const { pool, log, vectors, vault } = this.options;
    await this.refuseOlderLog();
    await this.dropForeignLexical();
    const together = await this.members([libraryProjection(vault), archiveProjection, ...this.postgresLexical()]);
    this.library = new Projector(new PostgresTarget(pool, together), (from) => log.read(from), this.listener());
    const vectorMembers = await this.members([
      vectorsProjection(vault, (positions) => void vectors.erase(positions).catch(() => undefined)),
    ]);
    const followers: { start(): void; stop(): Promise<void>; readonly name: string }[] = [
      new Projector<StoredVector>(
        new PostgresTarget(pool, vectorMembers),
        (from) => vectors.read(from),
        this.listener(),
        LIVE_VECTORS_MAX,
      ),
    ];
    if (this.options.openSearch) {
      this.lexical = await this.openSearchLexical(this.options.openSearch);
      followers.push(this.lexical);
    }
    this.followers = followers;
    // The functions name columns that may have come with the tables of this build.
    await installLegs(pool);
    await this.catchUp();
    for (const follower of this.followers) follower.start();
    this.cleaning = this.removeSensitive();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([this.library?.stop(), ...this.followers.map((follower) => follower.stop())]);
    await this.cleaning;
  }

  applied(position: number, timeoutMs: number): Promise<boolean> {
    return this.library.caughtUp(position, timeoutMs);
  }

  /**
   * Like `applied`, of the keyword index. Which replica has written to it does not matter: whoever is fenced off reads
   * the checkpoint again, and with it goes on waiting or not.
   */
  async indexed(position: number): Promise<boolean> {
    return this.lexical?.caughtUp(position, this.options.keywordIndexWaitMs) ?? true;
  }

  get isCaughtUp(): boolean {
    return this.library?.reached >= this.catchUpTo;
  }

  /** After a crash, or with an empty database, the log is replayed before the first command is taken. */
  private async catchUp(): Promise<void> {
    const { log, logger } = this.options;
    this.catchUpTo = await log.head();
    const started = performance.now();
    this.library.start();
    await this.library.caughtUp(0, PROGRESS_EVERY_MS * 10);
    const behind = this.catchUpTo - this.library.reached;
    if (behind <= 0) return;
    logger.info(
      { from: this.library.reached, to: this.catchUpTo },
      `catching up with the op-log: ${plural(behind, 'op')} to apply`,
    );
    while (!(await this.library.caughtUp(this.catchUpTo, PROGRESS_EVERY_MS))) {
      const done = this.library.reached;
      logger.info(
        { position: done, head: this.catchUpTo },
        `catching up: ${done} of ${this.catchUpTo} (${Math.floor((100 * done) / this.catchUpTo)} %)`,
      );
    }
    const seconds = (performance.now() - started) / 1_000;
    logger.info({ ops: behind, seconds }, `caught up: ${plural(behind, 'op')} in ${seconds.toFixed(1)} s`);
  }

  /** A broker with less in it than was projected is the wrong one, or was set back: writing to it would fork history. */
  private async refuseOlderLog(): Promise<void> {
    const { pool, log } = this.options;
    const [library, head] = [await readSlot(pool, 'library'), await log.head()];
    if (library && library.checkpoint.position > head) {
      const message = `the op-log ends at ${head}, but the database has applied ${plural(library.checkpoint.position, 'op')} of it: this is not the log that it was made from`;
      throw fail('oplog.unsuitable_server', message);
    }
  }

  /** Postgres and OpenSearch share the name; what the other one has built is built anew here. */
  private async dropForeignLexical(): Promise<void> {
    const { pool, openSearch } = this.options;
    const isOurs = (await hasTables(pool, 'lexical')) !== (openSearch !== undefined);
    if (!isOurs) await dropSlot(pool, 'lexical');
  }

  private postgresLexical(): PostgresProjection<StoredOp>[] {
    return this.options.openSearch ? [] : [postgresLexicalProjection(this.options.vault, this.options.bm25)];
  }

  private async members<T>(projections: readonly PostgresProjection<T>[]): Promise<Member<T>[]> {
    for (const projection of projections) {
      const slot = { name: projection.name, version: projection.version, epoch: FIRST_EPOCH };
      const isAnew = await ensureSlot(this.options.pool, projection, slot);
      if (isAnew)
        this.options.logger.info(
          `${projection.name} has another layout in this version: building it anew from the op-log`,
        );
    }
    return projections.map((projection) => ({ projection, slot: projection.name }));
  }

  private writerTo(client: OpenSearchClient): OpenSearchLexicalWriter {
    const { pool, vault, bm25 } = this.options;
    return new OpenSearchLexicalWriter(client, { library: lexicalLibrary(pool, vault), bm25 });
  }

  /** Once OpenSearch answers. If it fails, an operator can do the same. */
  private async removeSensitive(): Promise<void> {
    const { pool, logger, openSearch: client } = this.options;
    const { signal } = this.stopping;
    if (!client || !this.lexical) return;
    while (!signal.aborted && !(await this.lexical.caughtUp(0, PROGRESS_EVERY_MS)));
    if (signal.aborted) return;
    try {
      const documents = await removeSensitiveDocuments({ client, pool, writer: this.writerTo(client) }, signal);
      if (documents > 0)
        logger.info(
          { documents },
          `took ${plural(documents, 'document')} of sensitive folders out of the keyword index`,
        );
    } catch (thrown) {
      if (!signal.aborted) logger.warn({ err: thrown }, MAY_COUNT_SENSITIVE);
    }
  }

  private async openSearchLexical(client: OpenSearchClient): Promise<Projector<StoredOp>> {
    const { pool, vault, log } = this.options;
    const writer = this.writerTo(client);
    await ensureSlot(pool, CHECKPOINT_ONLY, { name: 'lexical', version: 1, epoch: FIRST_EPOCH });
    const target = new OpenSearchTarget({ pool, vault, writer, slot: 'lexical', alias: CHUNKS_ALIAS });
    return new Projector(target, (from) => log.read(from), this.listener());
  }

  private listener() {
    const { logger, metrics } = this.options;
    return {
      applied: (name: string, position: number): void => {
        for (const projection of name.split('+')) {
          metrics.projectionCheckpoint.set({ projection }, position);
          metrics.projectionLastSuccess.set({ projection }, Date.now() / 1_000);
        }
      },
      failed: (name: string, error: AppError): void => {
        const now = performance.now();
        if (now - this.lastReportMs < PROGRESS_EVERY_MS) return;
        this.lastReportMs = now;
        const level = error.kind === 'defect' ? 'error' : 'warn';
        logger[level](
          { projection: name, code: error.code, err: error.cause },
          `projection ${name} does not get on: ${error.message}`,
        );
      },
    };
  }
}
