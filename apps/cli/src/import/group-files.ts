import { BATCH_ITEMS_MAX, BODY_BYTES_MAX } from '@cairn/contracts';
import { formatOf } from '@cairn/documents';
import type { FoundFile } from './walk-folder.js';

/** As JSON, a text is a little longer than its file. A group that does not fit one request is sent in two. */
const GROUP_BYTES_MAX = 0.9 * BODY_BYTES_MAX;

/** Text that needs no parser can be sent as JSON, many files in one request. */
export const isText = ({ path, bytes }: FoundFile): boolean =>
  ['txt', 'md'].includes(formatOf(path)) && bytes <= GROUP_BYTES_MAX;

class Group {
  readonly files: FoundFile[] = [];
  private bytes = 0;

  add(file: FoundFile): void {
    this.files.push(file);
    this.bytes += file.bytes;
  }

  hasRoomFor({ bytes }: FoundFile): boolean {
    return this.files.length < BATCH_ITEMS_MAX && this.bytes + bytes <= GROUP_BYTES_MAX;
  }
}

/** Files that are sent together: texts up to the limits of a batch, and every other file by itself. */
export const groupFiles = (files: readonly FoundFile[]): readonly (readonly FoundFile[])[] => {
  const groups: Group[] = [];
  let texts: Group | undefined;
  for (const file of files) {
    const mayJoin = isText(file) && texts?.hasRoomFor(file) === true;
    const group = mayJoin ? texts! : new Group();
    if (!mayJoin) groups.push(group);
    if (isText(file)) texts = group;
    group.add(file);
  }
  return groups.map(({ files: together }) => together);
};
