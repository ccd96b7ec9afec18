import { TOOLSETS, type CommandData, type TokenGrant } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';

export const tokenGrant = (more: Partial<TokenGrant> = {}): TokenGrant => ({
  tokenId: systemIds.next(),
  secretHash: 'a'.repeat(64),
  name: 'A token',
  agentId: 'agent-a',
  scopes: ['read', 'write'],
  isUnscoped: false,
  folderIds: [],
  kbOnly: false,
  toolsets: [...TOOLSETS],
  rateLimitPerHour: null,
  expiresAt: '2099-01-01T00:00:00Z',
  ...more,
});

export const itemData = (more: Partial<CommandData<'item.store'>> = {}): CommandData<'item.store'> => ({
  title: 'A title',
  text: 'Some text about nothing in particular.',
  inKb: true,
  kind: 'knowledge',
  tags: ['some-tag'],
  source: { kind: 'agent' },
  surface: 'rest',
  confidence: 80,
  expiresAt: null,
  ...more,
});

/** A text of about this many chunks, each sentence different. */
export const longText = (chunks: number): string =>
  Array.from(
    { length: chunks * 20 },
    (_, i) => `Sentence number ${i} says that the store keeps each of its facts in order.`,
  ).join(' ');
