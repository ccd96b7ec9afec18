import { readFileSync } from 'node:fs';
import { type EntityType } from '@cairn/contracts';
import { entityKey } from '@cairn/graph';

export interface LabelledMention {
  readonly start: number;
  readonly end: number;
  readonly type: EntityType;
  readonly key: string;
}

export interface LabelledEdge {
  readonly subjectKey: string;
  readonly predicate: string;
  readonly objectKey: string;
  readonly kind: 'stated' | 'denied' | 'supposed';
}

/** One text of the labelled set; the form of the file is described in fixtures/README.md. */
export interface LabelledText {
  readonly group: string;
  readonly title: string | null;
  readonly text: string;
  readonly mentions: readonly LabelledMention[];
  readonly edges: readonly LabelledEdge[];
}

const TYPES: Readonly<Record<string, EntityType>> = {
  p: 'person',
  o: 'organization',
  j: 'project',
  t: 'tool',
  s: 'topic',
  e: 'event',
  c: 'concept',
};
const LABEL = /\{([pojtsec]):([^}=]+)(?:=([^}]+))?\}/gu;
const EDGE = /^>([!?]?)\s*(.+?) \| (.+?) \| (.+)$/u;
const EDGE_KINDS: Readonly<Record<string, LabelledEdge['kind']>> = { '': 'stated', '!': 'denied', '?': 'supposed' };

const keyOf = (name: string): string => {
  const key = entityKey(name);
  if (key === undefined) throw new Error(`not a name: ${name}`);
  return key;
};

const parseLine = (line: string): Pick<LabelledText, 'text' | 'mentions'> => {
  const mentions: LabelledMention[] = [];
  let [text, from] = ['', 0];
  for (const match of line.matchAll(LABEL)) {
    text += line.slice(from, match.index);
    mentions.push({
      start: text.length,
      end: text.length + match[2]!.length,
      type: TYPES[match[1]!]!,
      key: keyOf(match[3] ?? match[2]!),
    });
    text += match[2]!;
    from = match.index + match[0].length;
  }
  return { text: text + line.slice(from), mentions };
};

const parseEdge = (line: string): LabelledEdge => {
  const match = EDGE.exec(line);
  if (!match) throw new Error(`not an edge: ${line}`);
  return {
    kind: EDGE_KINDS[match[1]!]!,
    subjectKey: keyOf(match[2]!),
    predicate: match[3]!,
    objectKey: keyOf(match[4]!),
  };
};

const addEdge = (texts: LabelledText[], edge: LabelledEdge): void => {
  const last = texts.pop()!;
  texts.push({ ...last, edges: [...last.edges, edge] });
};

export const readLabelledTexts = (part: 'development' | 'held-out'): readonly LabelledText[] => {
  const lines = readFileSync(new URL(`../fixtures/labelled-${part}.txt`, import.meta.url), 'utf8').split('\n');
  const texts: LabelledText[] = [];
  let [group, title]: [string, string | null] = ['', null];
  for (const line of lines.map((text) => text.trim()).filter((text) => text !== '')) {
    if (line.startsWith('= ')) [group, title] = [line.slice(2), null];
    else if (line === '@') title = null;
    else if (line.startsWith('@ ')) title = parseLine(line.slice(2)).text;
    else if (line.startsWith('>')) addEdge(texts, parseEdge(line));
    else texts.push({ group, title, ...parseLine(line.replaceAll('⏎', '\n')), edges: [] });
  }
  return texts;
};
