import { createRequire } from 'node:module';
import type English from 'wink-eng-lite-web-model';
import type WinkNlp from 'wink-nlp';
import type { Document, WinkMethods } from 'wink-nlp';

const load = createRequire(import.meta.url);

/** A list of strings inside the model, and their places in it. */
interface Feature {
  index: number;
  readonly list: string[];
  readonly hash: Record<string, number>;
}
type Features = Readonly<Record<'lexeme' | 'prefix' | 'suffix' | 'shape', Feature>>;

const DERIVED = ['prefix', 'suffix', 'shape'] as const;
/**
 * wink-nlp also stores numbers for each word, which cannot be removed from here. After this many words the model is
 * replaced, at about 40 MB.
 */
const WORDS_READ_MAX = 500_000;

const PIPE = ['sbd', 'negation', 'pos'];

const STEM_CHARS_MIN = 4;

/** The possible stems of a word without its endings and prefixes. */
const stemsOf = (lower: string): readonly string[] => {
  const ending = /^(.+?)(ies|es|s|ing|ed|er|ers)$/u.exec(lower);
  const stem = ending?.[1] ?? '';
  const stems = ending ? [stem, `${stem}e`, ...(ending[2] === 'ies' ? [`${stem}y`] : [])] : [];
  const prefixed = /^(?:un|re|auto|sub|pre|non|co|over|multi)(.+)$/u.exec(lower);
  return [...stems, ...(prefixed ? [prefixed[1]!] : [])].filter((word) => word.length >= STEM_CHARS_MIN);
};

/**
 * wink-nlp adds every unknown word that it reads to its lexicon, and keeps it. An answer would then depend on the texts
 * read before, memory would grow, and words of forgotten texts would remain. Therefore each text is followed by a
 * clean-up that removes its words again (ADR 0088).
 */
export class LanguageModel {
  #wink!: WinkMethods;
  #features!: Features;
  #sizes!: Readonly<Record<keyof Features, number>>;
  #lexicon!: Document;

  constructor(private readonly wordsReadMax = WORDS_READ_MAX) {
    this.#load();
  }

  get its(): WinkMethods['its'] {
    return this.#wink.its;
  }

  /** Reads a text. The document is valid only inside `use`. */
  read<T>(text: string, use: (document: Document) => T): T {
    try {
      return use(this.#wink.readDoc(text));
    } finally {
      this.#cleanUp();
    }
  }

  /** True for an ordinary English word, in any of its forms: also "workspaces", "descaling" and "autovacuum". */
  isWord(lower: string): boolean {
    return this.#isListed(lower) || stemsOf(lower).some((stem) => this.#isListed(stem));
  }

  #isListed(lower: string): boolean {
    return !this.#lexicon.isOOV(lower);
  }

  /** Words of texts that are still in memory; for the test of the clean-up. */
  get wordsKept(): number {
    return this.#features.lexeme.list.slice(this.#sizes.lexeme).filter((word) => word !== '').length;
  }

  /**
   * The packages are loaded here, because importing them costs some 50 MB in every process, even one that never reads a
   * text.
   */
  #load(): void {
    const winkNlp = load('wink-nlp') as typeof WinkNlp;
    const englishModel = load('wink-eng-lite-web-model') as typeof English;
    let features: Features | undefined;
    const core = (): unknown => {
      const loaded = (englishModel.core as () => { readonly features: Features })();
      features = loaded.features;
      return loaded;
    };
    this.#wink = winkNlp({ ...englishModel, core }, PIPE);
    this.#features = features!;
    // Reading once includes the package's own additions in the sizes.
    this.#lexicon = this.#wink.readDoc('.');
    const { lexeme, prefix, suffix, shape } = this.#features;
    this.#sizes = {
      lexeme: lexeme.list.length,
      prefix: prefix.list.length,
      suffix: suffix.list.length,
      shape: shape.list.length,
    };
  }

  #cleanUp(): void {
    const { lexeme } = this.#features;
    for (let at = lexeme.list.length - 1; at >= this.#sizes.lexeme && lexeme.list[at] !== ''; at--) {
      delete lexeme.hash[lexeme.list[at]!];
      lexeme.list[at] = '';
    }
    for (const name of DERIVED) this.#truncate(this.#features[name], this.#sizes[name]);
    if (lexeme.list.length - this.#sizes.lexeme > this.wordsReadMax) this.#load();
  }

  #truncate(feature: Feature, size: number): void {
    for (const value of feature.list.slice(size)) delete feature.hash[value];
    feature.list.length = Math.min(feature.list.length, size);
    feature.index = feature.list.length;
  }
}
