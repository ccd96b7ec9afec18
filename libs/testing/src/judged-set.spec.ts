import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { JudgedSetError, OWN_JUDGED_SET, readJudgedSet } from './judged-set.js';

let folder: string;

const FILES = {
  'corpus.jsonl': '{"_id":"d1","title":"One","text":"first"}\n{"_id":"d2","text":"second"}\n',
  'queries.jsonl': '{"_id":"q1","text":"one?"}\n{"_id":"q2","text":"two?"}\n{"_id":"q3","text":"three?"}\n',
  'qrels.tsv': 'query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t0\n',
};
type Name = keyof typeof FILES;

const write = (name: Name, content: string): void => writeFileSync(join(folder, name), content);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-judged-'));
  for (const [name, content] of Object.entries(FILES)) write(name as Name, content);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a judged set', () => {
  it('keeps every judged query, even if no document is relevant to it, and no other', () => {
    expect(readJudgedSet(folder)).toMatchObject({
      documents: [
        { id: 'd1', title: 'One', text: 'first' },
        { id: 'd2', title: '', text: 'second' },
      ],
      queries: [
        { id: 'q1', judgements: new Map([['d1', 1]]) },
        { id: 'q2', judgements: new Map([['d2', 0]]) },
      ],
    });
    expect(readJudgedSet(OWN_JUDGED_SET)).toMatchObject({ name: 'field-notes', queries: { length: 34 } });
  });

  it('may have byte order marks, CRLF, blank lines, numeric ids and judgements of unknown documents', () => {
    write('corpus.jsonl', '\ufeff{"_id":1,"title":null,"text":"first"}\r\n\r\n{"_id":"2","text":"second"}\r\n');
    write('queries.jsonl', '\ufeff{"_id":7,"text":"one?"}\r\n');
    write('qrels.tsv', '\ufeff7\t1\t2\r\n7\tnowhere\t1\r\n');
    expect(readJudgedSet(folder)).toMatchObject({
      documents: [{ id: '1', title: '' }, { id: '2' }],
      queries: [
        {
          id: '7',
          judgements: new Map([
            ['1', 2],
            ['nowhere', 1],
          ]),
        },
      ],
    });
  });

  it('may keep its judgements in the same place as BEIR', () => {
    mkdirSync(join(folder, 'qrels'));
    renameSync(join(folder, 'qrels.tsv'), join(folder, 'qrels', 'test.tsv'));
    expect(readJudgedSet(folder).queries).toHaveLength(2);
  });

  it.each<[string, Name, string, string]>([
    ['a document twice', 'corpus.jsonl', '{"_id":"a","text":"x"}\n\n{"_id":"a","text":"y"}', ', line 3: the _id a stands in line 1 already'], // prettier-ignore
    ['an id as text and as number', 'corpus.jsonl', '{"_id":1,"text":"x"}\n{"_id":"1","text":"y"}', ', line 2: the _id 1 stands in line 1 already'], // prettier-ignore
    ['a query twice', 'queries.jsonl', '{"_id":"q1","text":"x"}\n{"_id":"q1","text":"y"}', ', line 2: the _id q1 stands in line 1 already'], // prettier-ignore
    ['a line that is not JSON', 'corpus.jsonl', '{"_id":"a","text":"x"}\n{"_id', ', line 2: is not valid JSON'],
    ['a line that is not an object', 'corpus.jsonl', '7', ', line 1: input must be of type object'],
    ['a document without a text', 'corpus.jsonl', '{"_id":"a"}', ', line 1: text is required'],
    ['a document without an id', 'corpus.jsonl', '{"text":"x"}', ', line 1: _id must be a text or a whole number'],
    ['an id that is neither text nor integer', 'queries.jsonl', '{"_id":1.5,"text":"x"}', ', line 1: _id must be a text or a whole number'], // prettier-ignore
    ['a judgement without a score', 'qrels.tsv', 'q1\td1\t1\nq1\td2\t', ', line 2: expected query, document and score, divided by tabs'], // prettier-ignore
    ['spaces instead of tabs', 'qrels.tsv', 'q1 d1 1\nq1 d2 1', ', line 1: expected query, document and score, divided by tabs'], // prettier-ignore
    ['a first judgement without a score', 'qrels.tsv', 'q1\td1\t', ', line 1: expected query, document and score, divided by tabs'], // prettier-ignore
    ['a document that is judged twice', 'qrels.tsv', 'q1\td1\t1\nq1\td1\t2', ', line 2: d1 is judged for q1 already'],
    ['an empty file', 'queries.jsonl', '\ufeff\n', ' is empty'],
  ])('is refused with file and line for %s', (_, name, content, message) => {
    write(name, content);
    expect(() => readJudgedSet(folder)).toThrow(new JudgedSetError(`${join(folder, name)}${message}`));
  });

  it('is refused when a file is missing, or when no query is judged', () => {
    write('qrels.tsv', 'query-id\tcorpus-id\tscore\nq9\td1\t1\n');
    const [qrels, queries] = [join(folder, 'qrels.tsv'), join(folder, 'queries.jsonl')];
    expect(() => readJudgedSet(folder)).toThrow(new JudgedSetError(`${qrels} judges no query of ${queries}`));
    rmSync(qrels);
    expect(() => readJudgedSet(folder)).toThrow(new JudgedSetError(`${qrels} is missing`));
    expect(() => readJudgedSet(queries)).toThrow(JudgedSetError);
  });
});
