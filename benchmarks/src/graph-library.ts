import type { Laboratory } from './laboratory.js';
import { runLoad } from './load.js';
import type { Product } from './product.js';
import { SeededGraph, type SeededLink } from './seeded-graph.js';
import type { SeededTexts } from './seeded-texts.js';
import { readWorkload, type Workload } from './workloads.js';

const PROGRESS_STEPS = 10;

/** Items whose texts state relations between names, and links between them, stored by ordinary commands. */
export class GraphLibrary {
  readonly workload: Workload<'graph'> = readWorkload('graph');
  readonly items: number;
  private readonly ids: string[] = [];
  private readonly graph: SeededGraph;
  private readonly texts: SeededTexts;

  constructor(private readonly laboratory: Laboratory) {
    const { seed, items, wordsMin, wordsMax } = this.workload;
    this.items = laboratory.chunksOr(items);
    this.graph = new SeededGraph(readWorkload('names'), seed);
    this.texts = laboratory.texts({ wordsMin, wordsMax });
  }

  textAt(index: number): { readonly title: string; readonly text: string } {
    const { title, body } = this.texts.at(index);
    return { title, text: `${this.graph.statements(index).text} ${body}` };
  }

  async fill(product: Product): Promise<void> {
    const { concurrency, linksPerItem, linksPerCommand } = this.workload;
    await this.inSteps('items', this.items, async (from, count) => {
      const work = async (i: number): Promise<void> => {
        this.ids[from + i] = await product.storeItem(this.textAt(from + i));
      };
      await runLoad({ concurrency, count, work });
    });
    const perCommand = Math.floor(linksPerCommand / linksPerItem);
    await this.inSteps('link commands', Math.ceil(this.items / perCommand), async (from, count) => {
      const work = (i: number): Promise<unknown> => product.post('/links', { links: this.links(from + i, perCommand) });
      await runLoad({ concurrency: 4, count, work });
    });
    await product.untilFollowed('graph');
  }

  /** The memories that walks begin at, taken evenly from the whole library. */
  anchors(): string[] {
    const { queries } = this.workload;
    return Array.from({ length: queries }, (_, i) => this.ids[Math.floor(((i + 0.5) * this.items) / queries)]!);
  }

  /** People in proportion to how often texts name them, so frequent names are queried often. */
  people(): string[] {
    const { queries } = this.workload;
    const step = Math.max(1, Math.floor(this.items / queries));
    return Array.from({ length: queries }, (_, i) => this.graph.statements((i * step) % this.items).person);
  }

  private links(command: number, perCommand: number): object[] {
    const { linksPerItem } = this.workload;
    const from = command * perCommand;
    const nodes = Array.from({ length: Math.min(perCommand, this.items - from) }, (_, i) => from + i);
    const links = nodes.flatMap((node) => this.graph.linksFrom(node, linksPerItem, this.items));
    return links.map(({ from: source, to, type, confidence }: SeededLink) => ({
      fromItemId: this.ids[source],
      toItemId: this.ids[to],
      type,
      confidence,
    }));
  }

  private async inSteps(
    what: string,
    total: number,
    work: (from: number, count: number) => Promise<void>,
  ): Promise<void> {
    const step = Math.ceil(total / PROGRESS_STEPS);
    for (let from = 0; from < total; from += step) {
      await work(from, Math.min(step, total - from));
      this.laboratory.log(`graph: ${Math.min(from + step, total)} of ${total} ${what}`);
    }
  }
}
