import { describe, expect, it } from '@jest/globals';
import { UploadBudget } from './upload-budget.js';

describe('the memory for uploads', () => {
  it('is shared and bounded, and each share is released as a whole', () => {
    const budget = new UploadBudget(100);
    const [first, second] = [budget.open(), budget.open()];
    first.take(60);
    second.take(40);
    expect(() => second.take(1)).toThrow(expect.objectContaining({ code: 'busy', details: { limit: 100 } }));
    first.release();
    first.release();
    second.take(60);
    expect(() => first.take(1)).toThrow(expect.objectContaining({ code: 'busy' }));
  });
});
