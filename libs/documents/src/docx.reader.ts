import { FILE_INFLATED_BYTES_MAX } from '@cairn/contracts';
import mammoth from 'mammoth';
import { unreadable } from './document-format.js';
import { htmlToText } from './html.reader.js';
import type { RawDocument } from './parsed-document.js';
import { readZip, writeZip, type ZipEntry } from './zip.js';

/** The parts that contain text. Pictures, fonts and embedded files are not unpacked. */
const isText = (name: string): boolean => /\.(xml|rels)$/i.test(name);

const withoutImages = mammoth.images.imgElement(() => Promise.resolve({ src: '' }));

const titleOf = (entries: readonly ZipEntry[]): string | undefined => {
  const core = entries.find(({ name }) => name === 'docProps/core.xml');
  const title = /<dc:title[^>]*>([^<]{1,2000})<\/dc:title>/.exec(Buffer.from(core?.bytes ?? []).toString('utf8'))?.[1];
  return title === undefined ? undefined : htmlToText(title);
};

const toHtml = async (buffer: Buffer): Promise<string> => {
  try {
    const styleMap = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => h2:fresh"];
    return (await mammoth.convertToHtml({ buffer }, { convertImage: withoutImages, styleMap })).value;
  } catch (thrown) {
    if (thrown instanceof RangeError) throw thrown;
    throw unreadable('it is no Word document, or a damaged one', thrown);
  }
};

/** A Word document, structured by its styles. It is unpacked here, with a size limit, before the library reads it. */
export const readDocx = async (bytes: Uint8Array): Promise<RawDocument> => {
  const entries = readZip(bytes, isText, FILE_INFLATED_BYTES_MAX);
  return { text: htmlToText(await toHtml(writeZip(entries))), title: titleOf(entries) };
};
