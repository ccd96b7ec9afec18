import { TEXT_LINKS_PER_CHUNK_MAX } from '@cairn/contracts';
import { itemIdsIn } from '@cairn/graph';
import { isNewText, type OpenedItem } from '../opened-item.js';
import type { FindingsWriter, TextLinkRow } from './findings-rows.js';
import { linkId } from './link-id.js';

const rowsOf = ({ op, chunks }: OpenedItem): TextLinkRow[] => {
  const { workspace, position } = op;
  const { itemId: item } = op.data;
  return chunks.flatMap(({ chunkId: chunk, textHash, plaintext }) =>
    itemIdsIn(plaintext, item, TEXT_LINKS_PER_CHUNK_MAX).map((to) => {
      const id = linkId(workspace, { fromItemId: item, toItemId: to, type: 'references' });
      return { chunk, item, workspace, hash: Buffer.from(textHash, 'hex'), id, to, position };
    }),
  );
};

/** Replaces the rows of an op's chunks with those of their current text. A new item has none yet. */
export const writeTextLinks = (writer: FindingsWriter, opened: OpenedItem): void => {
  if (!isNewText(opened.op)) {
    const chunkIds = opened.chunks.map(({ chunkId }) => chunkId);
    writer.change((schema) => `delete from ${schema}.text_links where chunk_id = any ($1::uuid[])`, [chunkIds]);
  }
  writer.addTextLinks(rowsOf(opened));
};
