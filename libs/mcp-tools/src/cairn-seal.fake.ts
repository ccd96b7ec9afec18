import { NO_TITLE, type CommandData, type ExtraMetadata, type ItemMeta, type WaitingText } from '@cairn/contracts';
import { chunkText, type SealedItem } from '@cairn/domain';
import { uuidV7 } from '@cairn/kernel';

/** Nothing is secret here: JSON takes the place of sealed data, and a text is its own hash. */
export const openMeta = (meta: string): ItemMeta => JSON.parse(meta) as ItemMeta;
export const openWaiting = (sealed: string): WaitingText => JSON.parse(sealed) as WaitingText;

export const sealItem = (
  data: CommandData<'item.store'>,
  {
    extra,
    externalRef,
  }: { readonly extra?: ExtraMetadata | undefined; readonly externalRef?: string | undefined } = {},
): SealedItem => {
  const { title = NO_TITLE, text, tags, taskRef, format, clientToken: _, ...command } = data;
  const { name: sourceName, uri: sourceUri } = command.source;
  const links = taskRef && [{ type: 'task_knowledge', ...taskRef }];
  const chunks = chunkText(text).map((chunk, ordinal) => ({
    ...chunk,
    chunkId: uuidV7(),
    ordinal,
    textHash: chunk.text,
  }));
  return {
    itemId: uuidV7(),
    command,
    meta: JSON.stringify({ title, tags, sourceName, sourceUri, links, format, extra, externalRef }),
    chunks,
  };
};
