import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { withoutUnknown } from './without-unknown.js';
import { withUnknown } from './with-unknown.builder.js';

const Hit = z.object({
  id: z.string(),
  explain: z.object({ legs: z.array(z.object({ rank: z.int() })) }).exactOptional(),
});
const Answer = z.object({
  hits: z.array(Hit),
  first: Hit.nullable(),
  byName: z.record(z.string(), Hit),
  data: z.record(z.string(), z.unknown()),
  open: z.looseObject({ id: z.string() }),
  outcome: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('stored'), hit: Hit }),
    z.strictObject({ kind: z.literal('refused') }),
  ]),
});

const hit = { id: 'a', explain: { legs: [{ rank: 1 }, { rank: 2 }] } };
const answer: z.infer<typeof Answer> = {
  hits: [hit, { id: 'b' }],
  first: hit,
  byName: { one: hit },
  data: { any: { thing: 1 } },
  open: { id: 'x', more: 1 },
  outcome: { kind: 'stored', hit },
};

describe('an answer of a service', () => {
  it('reaches its reader without the fields of a newer version, at any level', () => {
    const newer = withUnknown(Answer, answer) as typeof answer;
    expect(newer).not.toEqual(answer);
    expect(withoutUnknown(Answer, newer)).toEqual(answer);
  });

  it('is the same object if it has none', () => {
    expect(withoutUnknown(Answer, answer)).toBe(answer);
  });

  it('is not checked: an older service may not know a field yet', () => {
    const older = { hits: [{ id: 1 }], since: 2 } as never;
    expect(withoutUnknown(Answer, older)).toEqual({ hits: [{ id: 1 }] });
    expect(withoutUnknown(Answer, null as never)).toBeNull();
  });
});
