import { describe, expect, it } from '@jest/globals';
import { givenTitle } from './pdf-title.js';

describe('the title that a PDF names', () => {
  it.each([
    ['Annual report', 'Annual report'],
    ['The untitled document', 'The untitled document'],
    ['Document 5 of the treaty', 'Document 5 of the treaty'],
    ['Release 2.docx', 'Release 2.docx'],
    ['Microsoft Word - Annual report.docx', 'Annual report'],
    ['Microsoft Word - v1.2 notes.DOC', 'v1.2 notes'],
    ['Microsoft PowerPoint - Slides - final.pptx', 'Slides - final'],
    ['Microsoft Word - a tool of the nineties', 'a tool of the nineties'],
  ])('%j becomes %j', (title, expected) => {
    expect(givenTitle(title)).toBe(expected);
  });

  it.each([
    'untitled',
    'Untitled',
    ' UNTITLED ',
    'Untitled-1',
    '(untitled)',
    'Untitled document',
    'Untitled Presentation 2',
    'PowerPoint Presentation',
    'Microsoft Word - Document1',
    'Microsoft Word - Untitled.docx',
    'about:blank',
  ])('%j is not used as a title', (title) => {
    expect(givenTitle(title)).toBeUndefined();
  });
});
