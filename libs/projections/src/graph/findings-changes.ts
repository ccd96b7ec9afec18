import { chunksOf, isTextOp, type Op } from '@cairn/contracts';
import { isNewText, type OpenedItem } from '../opened-item.js';
import type { FindingsWriter } from './findings-rows.js';
import type { BatchFindings } from './read-findings.js';

/**
 * Names that only these rows mention. Runs before the rows themselves are deleted: afterwards the names cannot be
 * determined.
 */
const orphans =
  (gone: string) =>
  (schema: string): string => `
delete from ${schema}.entities e
  using (select distinct m.workspace_id, m.entity_key from ${schema}.mentions m where ${gone}) k
  where e.workspace_id = k.workspace_id and e.key = k.entity_key
    and not exists (
      select from ${schema}.mentions m
      where m.workspace_id = e.workspace_id and m.entity_key = e.key and not (${gone})
    )`;

const rowsOf =
  (table: string, gone: string) =>
  (schema: string): string =>
    `delete from ${schema}.${table} m where ${gone}`;

/** Deletes mentions and edges by a condition on the alias `m`, and the names that have no mention left. */
export const findingsDeletions = (gone: string): ((schema: string) => string)[] => [
  orphans(gone),
  rowsOf('mentions', gone),
  rowsOf('edges', gone),
];

/** Statements of people, agents and models stay as long as the text does; findings of rules are read again. */
const REPLACED = `m.chunk_id = any ($1::uuid[]) and (m.origin = 'rules' or m.text_hash <> all ($2::bytea[]))`;
const OUT_OF_KB = `m.item_id = $1 and m.origin = 'rules'`;

const remove = (writer: FindingsWriter, gone: string, values: readonly unknown[]): void => {
  for (const sql of findingsDeletions(gone)) writer.change(sql, values);
};

const textStated = (writer: FindingsWriter, { op, chunks }: OpenedItem, findings: BatchFindings): void => {
  const { data } = op;
  if (op.type === 'item.placed' && !data.inKb) return remove(writer, OUT_OF_KB, [data.itemId]);
  if (!data.inKb || chunksOf(data).length === 0) return;
  if (!isNewText(op)) {
    const hashes = chunks.map(({ textHash }) => Buffer.from(textHash, 'hex'));
    remove(writer, REPLACED, [chunks.map(({ chunkId }) => chunkId), hashes]);
  }
  const rows = findings.rows.get(op.position);
  if (rows) writer.add(rows);
};

const forget = (writer: FindingsWriter, column: 'item_id' | 'chunk_id', id: string): void => {
  const gone = `m.${column} = $1`;
  remove(writer, gone, [id]);
  for (const table of ['merges', 'reviews']) writer.change(rowsOf(table, gone), [id]);
};

const reviewed = (writer: FindingsWriter, { data, position }: Extract<Op, { type: 'edge.reviewed' }>): void => {
  const { chunkId, itemId, edgeRef, verdict } = data;
  writer.change(
    (schema) => `insert into ${schema}.reviews (chunk_id, item_id, ref_hash, verdict, position)
      values ($1, $2, $3, $4, $5)
      on conflict (chunk_id, ref_hash) do update set verdict = excluded.verdict, position = excluded.position`,
    [chunkId, itemId, Buffer.from(edgeRef, 'hex'), verdict, position],
  );
};

/** The rows of one op, in log order. A text op whose item was forgotten since is not opened: it leaves no rows. */
export const applyFindings = (
  writer: FindingsWriter,
  op: Op,
  opened: OpenedItem | undefined,
  findings: BatchFindings,
): void => {
  if (isTextOp(op)) {
    if (opened) textStated(writer, opened, findings);
  } else if (op.type === 'edge.observed') {
    const rows = findings.rows.get(op.position);
    if (rows) writer.add(rows);
  } else if (op.type === 'entity.merged') writer.addMerge(findings.merges.get(op.position) ?? []);
  else if (op.type === 'entity.split')
    writer.change((schema) => `delete from ${schema}.merges where merge_id = $1`, [op.data.mergeId]);
  else if (op.type === 'edge.reviewed') reviewed(writer, op);
  else if (op.type === 'item.forgotten') forget(writer, 'item_id', op.data.itemId);
  else if (op.type === 'chunk.forgotten') forget(writer, 'chunk_id', op.data.chunkId);
};
