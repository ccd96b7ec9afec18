import {
  fail,
  OPLOG_STREAM,
  oplogSubject,
  oplogWorkspaceFilter,
  eventDefinition,
  parseOp,
  type OpEnvelope,
} from '@cairn/contracts';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { errors, headers, nuid, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { chainOps, decodeOp, encodeOp } from './hash-chain.js';
import type { AppendOutcome, EntryReader, NewOp, OpLog, StoredOp, WorkspaceHead } from './op-log.port.js';
import { StreamReader } from './stream-reader.js';

/**
 * "Wrong last sequence", "a rival is in flight" (replicated streams) and "duplicate id in an atomic batch": all three
 * may mean that this very append is in the log already, so all three have one answer (RELIABILITY B3).
 */
const CONFLICT_CODES = new Set([10071, 10164, 10201]);
const APPEND_TIMEOUT_MS = 5_000;
const NO_MESSAGE = 10037;

interface PubAck {
  readonly seq?: number;
  readonly duplicate?: boolean;
  readonly error?: { readonly err_code: number; readonly description: string };
}

const decoder = new TextDecoder();

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
      throw fail('oplog.unavailable', 'the op-log is away; try again', {}, thrown);
    }
  }

  read(fromPosition: number): EntryReader<StoredOp> {
    return new StreamReader(this.nats, OPLOG_STREAM, fromPosition, ({ position, subject, body }) =>
      decodeOp(position, subject, body),
    );
  }

  /** One op is a plain publish; several go as one atomic batch, of which only the last message is acknowledged. */
  private async publish(
    workspaceId: string,
    expected: number,
    envelopes: readonly OpEnvelope[],
  ): Promise<PubAck | undefined> {
    const batchId = envelopes.length > 1 ? nuid.next() : undefined;
    for (const [i, envelope] of envelopes.entries()) {
      const isLast = i === envelopes.length - 1;
      const options = { headers: this.headersOf(workspaceId, expected, envelope, i, batchId, isLast) };
      const subject = oplogSubject(workspaceId, eventDefinition(envelope.type).noun);
      if (isLast) return this.request(subject, encodeOp(envelope), options.headers);
      this.nats.publish(subject, encodeOp(envelope), options);
    }
    throw fail('internal.defect', 'an append needs at least one op');
  }

  private headersOf(
    workspaceId: string,
    expected: number,
    envelope: OpEnvelope,
    index: number,
    batchId: string | undefined,
    isLast: boolean,
  ): MsgHdrs {
    const map = headers();
    map.set('Nats-Msg-Id', envelope.id);
    if (index === 0) {
      map.set('Nats-Expected-Last-Subject-Sequence', String(expected));
      map.set('Nats-Expected-Last-Subject-Sequence-Subject', oplogWorkspaceFilter(workspaceId));
    }
    if (batchId !== undefined) {
      map.set('Nats-Batch-Id', batchId);
      map.set('Nats-Batch-Sequence', String(index + 1));
      if (isLast) map.set('Nats-Batch-Commit', '1');
    }
    return map;
  }

  /** Undefined when no acknowledgement came; a request that never left is a plain failure. */
  private async request(subject: string, body: Uint8Array, map: MsgHdrs): Promise<PubAck | undefined> {
    try {
      const reply = await this.nats.request(subject, body, { headers: map, timeout: APPEND_TIMEOUT_MS });
      return JSON.parse(decoder.decode(reply.data)) as PubAck;
    } catch (thrown) {
      if (thrown instanceof errors.TimeoutError) return undefined;
      throw fail('oplog.unavailable', 'the op-log is away; try again', {}, thrown);
    }
  }
}
