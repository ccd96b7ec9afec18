import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Judgements } from './relevance.js';

const Document = z.object({ _id: z.string(), title: z.string().default(''), text: z.string() });
const Query = z.object({ _id: z.string(), text: z.string() });

/** Small, of our own making: enough to test a scorer and to compare two indexes, too small to boast with. */
export const OWN_JUDGED_SET = fileURLToPath(new URL('../../../benchmarks/datasets/field-notes', import.meta.url));

export interface JudgedSet {
  readonly name: string;
  readonly documents: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  /** Those with at least one relevant document: the others cannot be judged. */
  readonly queries: readonly { readonly id: string; readonly text: string; readonly judgements: Judgements }[];
}

const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');

const rowsOf = <S extends z.ZodType>(file: string, schema: S): z.infer<S>[] =>
  linesOf(file).map((line, i) => {
    try {
      return schema.parse(JSON.parse(line));
    } catch (thrown) {
      throw new Error(`${file}, line ${i + 1}: ${(thrown as Error).message}`);
    }
  });

const judgementsOf = (file: string): ReadonlyMap<string, Judgements> => {
  const judged = new Map<string, Map<string, number>>();
  for (const [i, line] of linesOf(file).entries()) {
    const [query, document, score] = line.split('\t');
    if (i === 0 && Number.isNaN(Number(score))) continue;
    if (query === undefined || document === undefined || !Number.isFinite(Number(score))) {
      throw new Error(`${file}, line ${i + 1}: expected query, document and score, divided by tabs`);
    }
    judged.set(query, (judged.get(query) ?? new Map<string, number>()).set(document, Number(score)));
  }
  return judged;
};

/** A folder of `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`, as BEIR lays its sets out. */
export const readJudgedSet = (folder: string): JudgedSet => {
  const judged = judgementsOf(join(folder, 'qrels.tsv'));
  const queries = rowsOf(join(folder, 'queries.jsonl'), Query).flatMap(({ _id: id, text }) => {
    const judgements = judged.get(id);
    return judgements && [...judgements.values()].some((score) => score > 0) ? [{ id, text, judgements }] : [];
  });
  return {
    name: basename(resolve(folder)),
    documents: rowsOf(join(folder, 'corpus.jsonl'), Document).map(({ _id, title, text }) => ({ id: _id, title, text })),
    queries,
  };
};
