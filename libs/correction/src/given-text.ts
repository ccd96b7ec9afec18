import { usableProposal } from './usable-proposal.js';

/**
 * The text with which a caller replaces another. Chunks of an item are adjacent, and callers often drop whitespace at the
 * ends: where the new text has none, that of the chunk stays.
 */
export const givenText = (text: string, newText: string): string => {
  if (newText.trim() === '') return usableProposal(text, '', 'newText');
  const before = /^\s/u.test(newText) ? '' : /^\s*/u.exec(text)![0];
  const after = /\s$/u.test(newText) ? '' : /\s*$/u.exec(text)![0];
  return usableProposal(text, before + newText + after, 'newText');
};
