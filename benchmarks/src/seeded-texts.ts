import { pick, randomFrom, type Random } from './seeded-random.js';

/** English-like texts, the same on every machine: a seeded generator makes them from a word list. */
export interface WordList {
  readonly glue: readonly string[];
  readonly topics: Readonly<Record<string, readonly string[]>>;
}

export interface TextShape {
  readonly seed: number;
  readonly wordsMin: number;
  readonly wordsMax: number;
}

export interface SeededText {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
}

/** Half of the words are filler, most others belong to one topic, so texts have neighbours in meaning and outliers. */
const ON_TOPIC = 0.7;
const GLUE = 0.45;
const SENTENCE_WORDS = 11;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export class SeededTexts {
  private readonly topics: readonly (readonly [string, readonly string[]])[];

  constructor(
    private readonly words: WordList,
    private readonly shape: TextShape,
  ) {
    this.topics = Object.entries(words.topics);
  }

  /** The text of this number, the same in any order of calls. */
  at(index: number): SeededText {
    const random = randomFrom(this.shape.seed + index * 7919);
    const [tag, topic] = this.topics[Math.floor(random() * this.topics.length)]!;
    const length = this.shape.wordsMin + Math.floor(random() * (this.shape.wordsMax - this.shape.wordsMin + 1));
    const words = Array.from({ length }, () => this.word(random, topic));
    const title = capitalised([pick(random, topic), pick(random, topic), `note ${index}`].join(' '));
    return { title, body: sentences(words), tag };
  }

  range(from: number, count: number): SeededText[] {
    return Array.from({ length: count }, (_, i) => this.at(from + i));
  }

  queries(count: number): string[] {
    return Array.from({ length: count }, (_, i) => this.query(randomFrom(this.shape.seed ^ ((i + 1) * 104_729))));
  }

  private query(random: Random): string {
    const topic = this.topics[Math.floor(random() * this.topics.length)]![1];
    return `when is the ${pick(random, topic)} ${pick(random, topic)} before the ${pick(random, topic)}`;
  }

  private word(random: Random, topic: readonly string[]): string {
    if (random() < GLUE) return pick(random, this.words.glue);
    return pick(random, random() < ON_TOPIC ? topic : this.topics[Math.floor(random() * this.topics.length)]![1]);
  }
}

const sentences = (words: readonly string[]): string => {
  const parts: string[] = [];
  for (let i = 0; i < words.length; i += SENTENCE_WORDS) {
    parts.push(`${capitalised(words.slice(i, i + SENTENCE_WORDS).join(' '))}.`);
  }
  return parts.join(' ');
};
