import {
  fail,
  OPLOG_STREAM,
  oplogSubject,
  oplogWorkspaceFilter,
  nounOf,
  parseOp,
  type OpEnvelope,
} from '@cairn/contracts';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import {
  eraseMessages,
  presentMessages,
  publishAtomically,
  type NatsConnection,
  type PublishAck,
} from '@cairn/messaging';
import { chainOps, decodeOp, encodeOp } from './hash-chain.js';
import type { AppendOutcome, EntryReader, NewOp, OpLog, StoredOp, WorkspaceHead } from './op-log.port.js';
import { StreamReader } from './stream-reader.js';

/**
 * "Wrong last sequence", "a rival is in flight" (replicated streams) and "duplicate id in an atomic batch": each of them
 * may mean that this very append is already in the log, so all three have the same outcome (ADR 0002).
 */
const CONFLICT_CODES = new Set([10071, 10164, 10201]);
const APPEND_TIMEOUT_MS = 5_000;
const NO_MESSAGE = 10037;

export class JetStreamOpLog implements OpLog {
  private constructor(
    private readonly nats: NatsConnection,
    private readonly manager: JetStreamManager,
  ) {}

  static async open(nats: NatsConnection): Promise<JetStreamOpLog> {
    return new JetStreamOpLog(nats, await jetstreamManager(nats, { checkAPI: false }));
  }

  async append(workspaceId: string, expected: WorkspaceHead, ops: readonly NewOp[]): Promise<AppendOutcome> {
    const envelopes = chainOps(workspaceId, expected.hash, ops);
    const ack = await this.publish(workspaceId, expected.position, envelopes);
    if (!ack) return { kind: 'unknown' };
    if (ack.duplicate) return { kind: 'conflict' };
    if (ack.error) {
      if (CONFLICT_CODES.has(ack.error.err_code)) return { kind: 'conflict' };
      throw fail('oplog.unavailable', 'the op-log refused the write; try again', { brokerCode: ack.error.err_code });
    }
    const first = ack.seq! - envelopes.length + 1;
    return { kind: 'appended', ops: envelopes.map((envelope, i) => parseOp(envelope, first + i)) };
  }

  async head(workspaceId?: string): Promise<number> {
    try {
      if (workspaceId === undefined) return (await this.manager.streams.info(OPLOG_STREAM)).state.last_seq;
      const last = await this.manager.direct.getMessage(OPLOG_STREAM, {
        last_by_subj: oplogWorkspaceFilter(workspaceId),
      });
      return last?.seq ?? 0;
    } catch (thrown) {
      if ((thrown as { code?: number }).code === NO_MESSAGE) return 0;
      throw fail('oplog.unavailable', 'the op-log is unavailable; try again', {}, thrown);
    }
  }

  read(fromPosition: number): EntryReader<StoredOp> {
    return new StreamReader(this.nats, OPLOG_STREAM, fromPosition, ({ position, subject, body }) =>
      decodeOp(position, subject, body),
    );
  }

  /** Asks the leader of the stream: a replica that is behind would not know a new op yet. */
  async bodyAt(position: number): Promise<Uint8Array | undefined> {
    try {
      return (await this.manager.streams.getMessage(OPLOG_STREAM, { seq: position }))?.data;
    } catch (thrown) {
      if ((thrown as { code?: number }).code === NO_MESSAGE) return undefined;
      throw fail('oplog.unavailable', 'the op-log is unavailable; try again', {}, thrown);
    }
  }

  async erase(positions: readonly number[]): Promise<void> {
    await eraseMessages(this.nats, OPLOG_STREAM, positions).catch((thrown: unknown) => {
      throw fail('oplog.unavailable', 'the op-log did not erase an op; try again', {}, thrown);
    });
  }

  present(positions: readonly number[]): Promise<readonly number[]> {
    return presentMessages(this.nats, OPLOG_STREAM, positions).catch((thrown: unknown) => {
      throw fail('oplog.unavailable', 'the op-log is unavailable; try again', {}, thrown);
    });
  }

  private async publish(
    workspaceId: string,
    expected: number,
    envelopes: readonly OpEnvelope[],
  ): Promise<PublishAck | undefined> {
    const messages = envelopes.map((envelope, i) => ({
      subject: oplogSubject(workspaceId, nounOf(envelope.type)),
      body: encodeOp(envelope),
      headers: { 'Nats-Msg-Id': envelope.id, ...(i === 0 && expectation(workspaceId, expected)) },
    }));
    return publishAtomically(this.nats, messages, APPEND_TIMEOUT_MS).catch((thrown: unknown) => {
      throw fail('oplog.unavailable', 'the op-log is unavailable; try again', {}, thrown);
    });
  }
}

/** Makes the broker reject the whole append when the workspace has a newer op. */
const expectation = (workspaceId: string, position: number) => ({
  'Nats-Expected-Last-Subject-Sequence': String(position),
  'Nats-Expected-Last-Subject-Sequence-Subject': oplogWorkspaceFilter(workspaceId),
});
