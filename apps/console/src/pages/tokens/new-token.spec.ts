import { describe, expect, it } from '@jest/globals';
import { newTokenOf, type TokenDraft } from './new-token.js';

const DRAFT: TokenDraft = {
  name: ' Reader ',
  agentId: '',
  scopes: ['read'],
  reach: 'all',
  folderIds: [],
  rate: '',
  restRate: '',
  expiresAt: '',
};

describe('the form for a token', () => {
  it('sends only what was filled in', () => {
    expect(newTokenOf(DRAFT).token).toEqual({
      name: 'Reader',
      scopes: ['read'],
      isUnscoped: true,
      rateLimitPerHour: null,
    });
  });

  it('limits a token to folders when asked to', () => {
    const { token } = newTokenOf({
      ...DRAFT,
      reach: 'folders',
      folderIds: ['f'],
      rate: '10',
      restRate: '500',
      agentId: 'bot',
    });
    expect(token).toMatchObject({
      isUnscoped: false,
      folderIds: ['f'],
      rateLimitPerHour: 10,
      restLimitPerHour: 500,
      agentId: 'bot',
    });
  });

  it.each<[string, Partial<TokenDraft>]>([
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: ['admin'], reach: 'folders', folderIds: ['f'] }],
    ['folderIds', { reach: 'folders' }],
    ['rate', { rate: '0' }],
    ['rate', { rate: 'many' }],
    ['restRate', { restRate: '0' }],
    ['expiresAt', { expiresAt: 'soon' }],
  ])('names the field %s that has to be corrected', (field, change) => {
    const { token, problem } = newTokenOf({ ...DRAFT, ...change });
    expect(token).toBeUndefined();
    expect(problem?.field).toBe(field);
  });
});
