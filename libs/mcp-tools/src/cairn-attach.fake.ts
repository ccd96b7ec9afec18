import { decideAttachItem } from '@cairn/domain';
import { linkIdOf } from './cairn-links.fake.js';
import { at, type Prepare } from './cairn-prepare.fake.js';
import { sealItem } from './cairn-seal.fake.js';

export const attach: Prepare<'item.attach'> = (request, { workspace }) => {
  const { logCardId, title, text, fileName } = request.data;
  const item = sealItem({
    title,
    text,
    kind: 'file',
    inKb: true,
    tags: [],
    source: { kind: 'file', name: fileName },
    surface: 'mcp',
    confidence: 80,
    expiresAt: null,
  });
  const link = { fromItemId: item.itemId, toItemId: logCardId, type: 'attached_to' } as const;
  const linkId = linkIdOf(workspace, link);
  return {
    decide: (state, atMs) => decideAttachItem(state, at(request, { item, logCardId, linkId }, atMs)),
    answer: ({ entityId: itemId }, position) => ({ itemId, linkId, chunkCount: item.chunks.length, position }),
  };
};
