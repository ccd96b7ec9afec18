import type { ReactNode } from 'react';
import type { EntityType } from '../../api/answers.js';

/** One drawing per type, in a square of 24: types can be distinguished without their colours. */
export const GLYPHS: Readonly<Record<EntityType, ReactNode>> = {
  person: (
    <>
      <circle cx="12" cy="8" r="4" />
      <path d="M4 20a8 8 0 0 1 16 0" />
    </>
  ),
  organization: <path d="M4 21V5l8-2v18M12 9h8v12M2.5 21h19M8 8v.01M8 12v.01M8 16v.01M16 13v.01M16 17v.01" />,
  project: <path d="M5 21V4m0 0h13l-3 4.5 3 4.5H5" />,
  tool: <path d="M15.5 3.5a5 5 0 0 0-5.8 6.5L3.5 16.2v4.3h4.3l6.2-6.2a5 5 0 0 0 6.5-5.8L17 12l-3.5-1.5L12 7z" />,
  topic: <path d="M9 3 7 21M17 3l-2 18M4 9h17M3 15h17" />,
  concept: <path d="M9 18h6m-5 3h4M12 3a6 6 0 0 0-4 10.5c.7.7 1 1.2 1 2.5h6c0-1.3.3-1.8 1-2.5A6 6 0 0 0 12 3z" />,
  event: <path d="M4 6h16v15H4zM4 11h16M8 3v5M16 3v5" />,
};
