import { GENESIS_HASH, type ErasedOp } from '@cairn/contracts';
import { isIntact, type StoredOp } from '@cairn/op-log';

export interface Finding {
  readonly position: number;
  readonly problem: string;
}

/** A forgotten op: what its forgetting records about it, and the item it belonged to. */
export interface Explained {
  readonly op: ErasedOp;
  readonly itemId: string;
}

interface Break {
  readonly position: number;
  readonly workspace: string;
  /** The last hash before the gap, and the hash that the chain continues from. */
  readonly from: string;
  readonly to: string;
}

/**
 * Follows each workspace's hash chain and the sequence of the whole log. A hole is legal if a later op lists it as
 * forgotten, so holes are collected on the way and judged at the end.
 */
export class ChainCheck {
  readonly explained = new Map<number, Explained>();
  readonly heads = new Map<string, string>();
  readonly counts = new Map<string, number>();
  ops = 0;
  private readonly findings: Finding[] = [];
  private readonly missing: number[] = [];
  private readonly breaks: Break[] = [];
  private position = 0;

  constructor(private readonly source: 'stream' | 'archive' = 'stream') {}

  take({ position, body, op }: StoredOp): void {
    for (let hole = this.position + 1; hole < position; hole++) this.missing.push(hole);
    this.position = position;
    this.ops++;
    const { workspace } = op;
    const from = this.heads.get(workspace) ?? GENESIS_HASH;
    if (op.prevHash !== from) this.breaks.push({ position, workspace, from, to: op.prevHash });
    if (!isIntact(body)) this.findings.push({ position, problem: 'its content does not match its hash' });
    this.heads.set(workspace, op.hash);
    this.counts.set(op.type, (this.counts.get(op.type) ?? 0) + 1);
    if (op.type !== 'item.forgotten') return;
    for (const erased of op.data.erased) this.explained.set(erased.position, { op: erased, itemId: op.data.itemId });
  }

  /** Holes that a forgetting explains. */
  get erased(): readonly number[] {
    return this.missing.filter((position) => this.explained.has(position));
  }

  /** Forgotten items whose op is still in the log and awaits erasure. */
  get forgottenButThere(): number {
    const missing = new Set(this.missing);
    return [...this.explained.values()].filter(({ op }) => op.type === 'item.stored' && !missing.has(op.position))
      .length;
  }

  judge(): Finding[] {
    const unexplained = this.missing.filter((position) => !this.explained.has(position));
    return [
      ...this.findings,
      ...unexplained.map((position) => ({ position, problem: `missing from the ${this.source}` })),
      ...this.brokenChains(),
    ].sort((a, b) => a.position - b.position);
  }

  private brokenChains(): Finding[] {
    const missing = new Set(this.missing);
    const byHash = new Map<string, ErasedOp>();
    for (const { op } of this.explained.values()) if (missing.has(op.position)) byHash.set(op.hash, op);
    const isBridged = ({ from, to, workspace }: Break): boolean => {
      let hash = to;
      for (let op = byHash.get(hash); op && hash !== from; op = byHash.get(hash)) {
        if (op.workspace !== workspace) return false;
        hash = op.prevHash;
      }
      return hash === from;
    };
    const broken = this.breaks.filter((gap) => !isBridged(gap));
    return broken.map(({ position }) => ({ position, problem: 'does not follow the op before it in its workspace' }));
  }
}
