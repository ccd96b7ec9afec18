import { usableProposal } from './usable-proposal.js';

/**
 * The text that a caller wants in place of another. Chunks of an item stand next to each other without anything between,
 * and a caller often drops the blanks at the ends: where it gives none, those of the chunk stay.
 */
export const givenText = (text: string, newText: string): string => {
  if (newText.trim() === '') return usableProposal(text, '', 'newText');
  const before = /^\s/u.test(newText) ? '' : /^\s*/u.exec(text)![0];
  const after = /\s$/u.test(newText) ? '' : /\s*$/u.exec(text)![0];
  return usableProposal(text, before + newText + after, 'newText');
};
