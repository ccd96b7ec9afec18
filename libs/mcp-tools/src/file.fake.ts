import { fail } from '@cairn/contracts';
import type { FilePort, FileText, GivenFile } from './file.port.js';

/** Reads text files; every other file has an unknown format. */
export class InMemoryFiles implements FilePort {
  async read({ name, bytes }: GivenFile): Promise<FileText> {
    if (!/\.(?:txt|md)$/.test(name))
      throw fail('file.unsupported', 'files of this kind are not read', { field: 'file' });
    return Promise.resolve({ title: name.replace(/\.\w+$/, ''), text: new TextDecoder().decode(bytes), name });
  }
}
