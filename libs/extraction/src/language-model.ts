import englishModel from 'wink-eng-lite-web-model';
import winkNlp, { type Document, type WinkMethods } from 'wink-nlp';

/** A list of strings inside the model, and their places in it. */
interface Feature {
  index: number;
  readonly list: string[];
  readonly hash: Record<string, number>;
}
type Features = Readonly<Record<'lexeme' | 'prefix' | 'suffix' | 'shape', Feature>>;

const DERIVED = ['prefix', 'suffix', 'shape'] as const;
/** The numbers beside the words cannot be reached from here. At this many, the model is replaced: some 40 MB. */
const WORDS_READ_MAX = 500_000;

const PIPE = ['sbd', 'negation', 'pos'];

/**
 * wink-nlp adds every unknown word that it reads to its lexicon, and keeps it. That would make an answer depend on the texts read
 * before, let memory grow, and keep words of texts that were forgotten. So each text is followed by a clean-up that takes its words out
 * again (ADR 0088).
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

  /** Reads a text. The document is valid inside of `use` only. */
  read<T>(text: string, use: (document: Document) => T): T {
    try {
      return use(this.#wink.readDoc(text));
    } finally {
      this.#cleanUp();
    }
  }

  /** True for an ordinary English word, in any of its forms. */
  isWord(lower: string): boolean {
    return !this.#lexicon.isOOV(lower);
  }

  /** Words of texts that are still in memory; for the test of the clean-up. */
  get wordsKept(): number {
    return this.#features.lexeme.list.slice(this.#sizes.lexeme).filter((word) => word !== '').length;
  }

  #load(): void {
    let features: Features | undefined;
    const core = (): unknown => {
      const loaded = (englishModel.core as () => { readonly features: Features })();
      features = loaded.features;
      return loaded;
    };
    this.#wink = winkNlp({ ...englishModel, core }, PIPE);
    this.#features = features!;
    // Reading once first takes the package's own additions into the sizes.
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
