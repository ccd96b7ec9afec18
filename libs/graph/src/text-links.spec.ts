import { describe, expect, it } from '@jest/globals';
import { itemIdsIn } from './text-links.js';

const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

describe('the items that a text names', () => {
  it.each([
    ['an id', `See ${id(1)}.`, [id(1)]],
    ['an artifact', `[plan](carabase://artifact/${id(1)})`, [id(1)]],
    ['an entry', `drobek://knowledge/${id(1)}?x=1`, [id(1)]],
    ['upper case', id(10).toUpperCase(), [id(10)]],
    ['each once, in their order', `${id(2)} ${id(1)} ${id(2)}`, [id(2), id(1)]],
    ['not the item itself', `${id(9)} ${id(1)}`, [id(1)]],
    ['not a part of a longer word', `a${id(1)} ${id(1)}b ${id(1)}-c`, []],
    ['nothing', 'no id here', []],
  ])('%s', (_, text, ids) => {
    expect(itemIdsIn(text, id(9), 64)).toEqual(ids);
  });

  it('are the first ones if there are many', () => {
    const text = Array.from({ length: 10 }, (_, n) => id(n)).join('\n');
    expect(itemIdsIn(text, id(99), 3)).toEqual([id(0), id(1), id(2)]);
  });
});
