import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseInput } from '@cairn/contracts';
import { z } from 'zod';
import type { Judgements } from './relevance.js';

/** Some sets number their documents and queries; the judgements name them by their digits. */
const Id = z.union([z.string().min(1), z.int()], { error: 'must be a text or a whole number' }).transform(String);
const Title = z
  .string()
  .nullish()
  .transform((title) => title ?? '');
const Document = z.object({ _id: Id, title: Title, text: z.string() });
const Query = z.object({ _id: Id, text: z.string() });

/** A small set made for Cairn: enough to test a scorer and to compare two indexes, too small for published results. */
export const OWN_JUDGED_SET = fileURLToPath(new URL('../../../benchmarks/datasets/field-notes', import.meta.url));

export interface JudgedSet {
  readonly name: string;
  readonly documents: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  /** Queries with at least one judged document, if only as not relevant; nothing is known about the others. */
  readonly queries: readonly { readonly id: string; readonly text: string; readonly judgements: Judgements }[];
}

/** A set that cannot be used for measuring; the message names the file and the line. */
export class JudgedSetError extends Error {
  override readonly name = 'JudgedSetError';
}

interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

const contentOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    throw new JudgedSetError(code === 'ENOENT' ? `${file} is missing` : `${file} cannot be read: ${message}`);
  }
};

const linesOf = (file: string): NumberedLine[] => {
  const lines = contentOf(file)
    .split('\n')
    .map((text, i) => ({ number: i + 1, text: text.trimEnd() }))
    .filter(({ text }) => text !== '');
  if (lines.length === 0) throw new JudgedSetError(`${file} is empty`);
  return lines;
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('is not valid JSON');
  }
};

/**
 * One row of JSON per line. A repeated id would count twice among the found documents and once among the possible ones.
 */
const rowsOf = <S extends z.ZodType<{ readonly _id: string }>>(file: string, schema: S): z.infer<S>[] => {
  const lineOf = new Map<string, number>();
  return linesOf(file).map(({ number, text }) => {
    try {
      const row = parseInput(schema, jsonOf(text));
      const first = lineOf.get(row._id);
      if (first !== undefined) throw new Error(`the _id ${row._id} stands in line ${first} already`);
      lineOf.set(row._id, number);
      return row;
    } catch (thrown) {
      throw new JudgedSetError(`${file}, line ${number}: ${(thrown as Error).message}`);
    }
  });
};

const judgementsOf = (file: string): ReadonlyMap<string, Judgements> => {
  const judged = new Map<string, Map<string, number>>();
  for (const [i, { number, text }] of linesOf(file).entries()) {
    const refuse = (message: string) => new JudgedSetError(`${file}, line ${number}: ${message}`);
    const [query, document, score = ''] = text.split('\t');
    const isHeading = i === 0 && Number.isNaN(Number(score));
    if (!query || !document || score.trim() === '' || !(isHeading || Number.isFinite(Number(score))))
      throw refuse('expected query, document and score, divided by tabs');
    if (isHeading) continue;
    const grades = judged.get(query) ?? new Map<string, number>();
    if (grades.has(document)) throw refuse(`${document} is judged for ${query} already`);
    judged.set(query, grades.set(document, Number(score)));
  }
  return judged;
};

/** BEIR keeps one file per split in a folder; Cairn's own set has a single file, which is easier to make. */
const judgementsFile = (folder: string): string => {
  const [own, beir] = [join(folder, 'qrels.tsv'), join(folder, 'qrels', 'test.tsv')];
  return !existsSync(own) && existsSync(beir) ? beir : own;
};

/** A folder of `corpus.jsonl`, `queries.jsonl` and `qrels.tsv` (or `qrels/test.tsv`), in the layout of BEIR. */
export const readJudgedSet = (folder: string): JudgedSet => {
  const [corpusFile, queriesFile, qrelsFile] = [
    join(folder, 'corpus.jsonl'),
    join(folder, 'queries.jsonl'),
    judgementsFile(folder),
  ];
  const documents = rowsOf(corpusFile, Document).map(({ _id, title, text }) => ({ id: _id, title, text }));
  const judged = judgementsOf(qrelsFile);
  const queries = rowsOf(queriesFile, Query).flatMap(({ _id: id, text }) => {
    const judgements = judged.get(id);
    return judgements ? [{ id, text, judgements }] : [];
  });
  if (queries.length === 0) throw new JudgedSetError(`${qrelsFile} judges no query of ${queriesFile}`);
  return { name: basename(resolve(folder)), documents, queries };
};
