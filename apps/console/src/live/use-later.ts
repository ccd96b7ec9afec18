import { useState } from 'react';

const KEY = 'cairn.later';

/** A browser that keeps nothing for a page refuses both ways; the open page knows it all the same. */
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
    // As above.
  }
};

/** The memories that are to be decided later, by id: for every page and tab of this browser, like the session. */
export const useLater = () => {
  const [postponed, setPostponed] = useState(kept);
  const postpone = (ids: readonly string[]): void => {
    keep(ids);
    setPostponed(ids);
  };
  return { postponed, postpone };
};
