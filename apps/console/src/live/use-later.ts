import { useState } from 'react';

const KEY = 'cairn.later';

/** A browser without storage throws on reads and writes; the open page keeps the list in memory. */
const kept = (): readonly string[] => {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as string[];
  } catch {
    return [];
  }
};

const keep = (ids: readonly string[]): void => {
  try {
    localStorage.setItem(KEY, JSON.stringify(ids));
  } catch {
    // Without storage, the list lasts as long as the page.
  }
};

/** The ids of the memories to be decided later, shared by every page and tab of this browser, like the session. */
export const useLater = () => {
  const [postponed, setPostponed] = useState(kept);
  const postpone = (ids: readonly string[]): void => {
    keep(ids);
    setPostponed(ids);
  };
  return { postponed, postpone };
};
