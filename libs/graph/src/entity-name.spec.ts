import { describe, expect, it } from '@jest/globals';
import { nameEntity, type NamingMention } from './entity-name.js';

const mention = (surface: string, more: Partial<NamingMention> = {}): NamingMention => ({
  surface,
  isOwnName: true,
  type: 'person',
  typeConfidence: 0.5,
  position: 1,
  ...more,
});

describe('an entity', () => {
  it('is shown by its most frequent form', () => {
    const mentions = [mention('ALICE CHEN'), mention('Alice Chen'), mention('Alice Chen')];
    expect(nameEntity(mentions).name).toBe('Alice Chen');
  });

  it('is shown by the form that was mentioned first, if two are equally frequent', () => {
    const mentions = [mention('ALICE CHEN', { position: 7 }), mention('Alice Chen', { position: 3 })];
    expect(nameEntity(mentions).name).toBe('Alice Chen');
    expect(nameEntity(mentions.toReversed()).name).toBe('Alice Chen');
  });

  it('is shown by its own name, even if an alias is more frequent', () => {
    const alias = mention('A. Chen', { isOwnName: false });
    expect(nameEntity([alias, alias, mention('Alice Chen', { position: 9 })]).name).toBe('Alice Chen');
    expect(nameEntity([alias]).name).toBe('A. Chen');
  });

  it('has the type with the highest sum of confidences', () => {
    const often = mention('Apollo', { type: 'concept', typeConfidence: 0.3 });
    expect(nameEntity([often, often, mention('Apollo', { type: 'project', typeConfidence: 0.8 })]).type).toBe(
      'project',
    );
    expect(nameEntity([often, often, often, mention('Apollo', { typeConfidence: 0.8 })]).type).toBe('concept');
  });

  it('has the type that was found first, if two sums differ only by rounding', () => {
    const tenths = [1, 2, 3].map((position) => mention('Apollo', { type: 'concept', typeConfidence: 0.1, position }));
    const sum = mention('Apollo', { type: 'tool', typeConfidence: 0.3, position: 5 });
    expect(0.1 + 0.1 + 0.1).toBeGreaterThan(0.3);
    expect(nameEntity([{ ...sum, position: 0 }, ...tenths]).type).toBe('tool');
    expect(nameEntity([sum, ...tenths]).type).toBe('concept');
  });
});
