import { useState } from 'react';

const KEY = 'cairn.later';

const kept = (): readonly string[] => JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as string[];

/** The memories that are to be decided later, by id, remembered as long as the tab is open. */
export const useLater = () => {
  const [postponed, setPostponed] = useState(kept);
  const postpone = (ids: readonly string[]): void => {
    sessionStorage.setItem(KEY, JSON.stringify(ids));
    setPostponed(ids);
  };
  return { postponed, postpone };
};
