import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../api/api-error.js';
import { droppedFiles, sendUploads, withFiles, type Upload } from './uploads.js';

const file = (name: string): File => new File(['text'], name, { lastModified: 1 });

/** Sends all files and records each step as "name: state". */
const stepsOf = async (
  uploads: readonly Upload[],
  send: (file: File) => Promise<{ id: string }>,
  stopAfter = Infinity,
) => {
  const steps: string[] = [];
  const onStep = ({ file: { name }, state }: Upload): void => void steps.push(`${name}: ${state}`);
  await sendUploads(uploads, { send, onStep, isStopped: () => steps.length >= stopAfter });
  return steps;
};

describe('uploaded files', () => {
  it('are listed once, however often they are added', () => {
    const listed = withFiles([], [file('a.txt'), file('b.txt')]);
    expect(withFiles(listed, [file('b.txt'), file('c.txt')]).map((upload) => upload.file.name)).toEqual([
      'a.txt',
      'b.txt',
      'c.txt',
    ]);
  });

  it('are sent one after the other, and a failure does not stop the rest', async () => {
    const send = async ({ name }: File) => {
      if (name === 'bad.pdf') throw new ApiError(422, 'file.unreadable', 'no PDF');
      return { id: name };
    };
    const uploads = withFiles([], [file('a.txt'), file('bad.pdf'), file('c.txt')]);
    expect(await stepsOf(uploads, send)).toEqual([
      ...['a.txt: sending', 'a.txt: stored'],
      ...['bad.pdf: sending', 'bad.pdf: failed'],
      ...['c.txt: sending', 'c.txt: stored'],
    ]);
  });

  it('are sent again after a failure, and never once they are stored', async () => {
    const uploads: readonly Upload[] = [
      { file: file('a.txt'), state: 'stored', itemId: '1' },
      { file: file('b.txt'), state: 'failed' },
    ];
    expect(await stepsOf(uploads, async () => ({ id: '2' }))).toEqual(['b.txt: sending', 'b.txt: stored']);
  });

  it('stop before the next file when asked to', async () => {
    const uploads = withFiles([], [file('a.txt'), file('b.txt')]);
    expect(await stepsOf(uploads, async () => ({ id: '1' }), 2)).toEqual(['a.txt: sending', 'a.txt: stored']);
  });

  it('are taken from a drop without its folders and texts', () => {
    const entry = (name: string, isDirectory: boolean) => ({
      kind: 'file',
      webkitGetAsEntry: () => ({ isDirectory }),
      getAsFile: () => file(name),
    });
    const items = [entry('a.txt', false), entry('folder', true), { kind: 'string' }];
    const { files, folders } = droppedFiles({ items } as never);
    expect([files.map(({ name }) => name), folders]).toEqual([['a.txt'], 1]);
  });
});
