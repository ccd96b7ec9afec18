import { Database } from '@cairn/persistence';
import { TestPglite } from '@cairn/testing';

const BATCH = 5_000;
const TERMS = `
select word, array(select lexeme from unnest(to_tsvector('english', word))) as terms from unnest($1::text[]) as word`;

/** Stop words are removed and the others reduced to their stems, by the rules that the product's index uses. */
export class Terms {
  private constructor(private readonly termsOf: ReadonlyMap<string, readonly string[]>) {}

  /** Learns the words of these texts from a database that holds nothing else. */
  static async of(texts: readonly string[]): Promise<Terms> {
    const words = [...new Set(texts.flatMap((text) => text.split(' ')))];
    const server = await TestPglite.start();
    const database = await Database.connect({ url: server.url, applicationName: 'benchmark' });
    try {
      const known = new Map<string, readonly string[]>();
      for (let from = 0; from < words.length; from += BATCH) {
        const asked = words.slice(from, from + BATCH);
        const { rows } = await database.pool.query<{ word: string; terms: string[] }>(TERMS, [asked]);
        for (const { word, terms } of rows) known.set(word, terms);
      }
      return new Terms(known);
    } finally {
      await database.close();
      await server.stop();
    }
  }

  in(text: string): string[] {
    return text.split(' ').flatMap((word) => this.termsOf.get(word) ?? []);
  }
}
