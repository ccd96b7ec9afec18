import type { Candidate, Folder } from '../../api/answers.js';

interface Choice {
  readonly value: string;
  readonly label: string;
}

interface Group {
  readonly group: string;
  readonly items: Choice[];
}

/** All folders, each once: close matches first, with the reason. A folder that no longer exists is not offered. */
export const folderChoices = (candidates: readonly Candidate[], folders: readonly Folder[]): (Choice | Group)[] => {
  const close = candidates.flatMap(({ folderId, match }) => {
    const folder = folders.find(({ id }) => id === folderId);
    return folder ? [{ value: folder.id, label: `${folder.name} (${match})` }] : [];
  });
  const others = folders
    .filter(({ id }) => !close.some(({ value }) => value === id))
    .map(({ id, name }) => ({ value: id, label: name }));
  const groups = [
    { group: 'Closest names', items: close },
    { group: 'All other folders', items: others },
  ];
  const choose = { value: '', label: 'Choose a folder…' };
  return close.length === 0 ? [choose, ...others] : [choose, ...groups.filter(({ items }) => items.length > 0)];
};
