import { Uuid, type QueryAnswer, type Scope, type Toolset } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';
import { artifactResource, folioResource } from './graph/artifact-resource.js';
import { neutralise, SANITIZED_META } from './hygiene.js';
import { resourceNotFound } from './resource-not-found.js';
import { isSuperseded, supersededNote } from './superseded.js';
import type { ToolContext } from './tool.js';

export { resourceNotFound } from './resource-not-found.js';

export interface ResourceText {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** Any one of these scopes grants access. */
  readonly scopes: readonly Scope[];
  readonly toolsets: readonly Toolset[];
  matches(uri: string): boolean;
  read(uri: string, context: Pick<ToolContext, 'cairn' | 'compaction'>): Promise<ResourceText>;
}

const KNOWLEDGE_URI = /^drobek:\/\/knowledge\/([^/?#]+)$/;

export const knowledgeUri = (itemId: string): string => `drobek://knowledge/${itemId}`;

/** The item that an id or a Cairn URI refers to; undefined for anything else. */
export const itemIdOf = (reference: string): string | undefined =>
  Uuid.safeParse(KNOWLEDGE_URI.exec(reference)?.[1] ?? reference).data;

/** In `_meta` of a resource's content: another entry replaces this one, and where it can be read. */
const SUPERSEDED_META = 'cairn/superseded';
const SUPERSEDED_BY_META = 'cairn/supersededBy';

const metaOf = (item: QueryAnswer<'item.get'>, text: string): Record<string, unknown> => ({
  ...(text !== item.content && { [SANITIZED_META]: true }),
  ...(isSuperseded(item) && { [SUPERSEDED_META]: true }),
  ...(item.supersededById !== null && { [SUPERSEDED_BY_META]: knowledgeUri(item.supersededById) }),
});

/** A client may show a model only the text, so the note on a superseded entry is part of it as well. */
const shownOf = (item: QueryAnswer<'item.get'>): Pick<ResourceText, 'text' | '_meta'> => {
  const text = neutralise(item.content);
  const note = supersededNote(item, (id) => `read ${knowledgeUri(id)}`);
  const meta = metaOf(item, text);
  return {
    text: note === undefined ? text : `[superseded: ${note}]\n\n${text}`,
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
};

const knowledgeEntry: ResourceTemplate = {
  uriTemplate: 'drobek://knowledge/{id}',
  name: 'knowledge',
  title: 'Knowledge entry',
  description: 'The full text of one knowledge entry. Search hits carry this URI in their field resource.',
  mimeType: 'text/plain',
  // A token that may call get_item can read the same text here.
  scopes: ['knowledge:read', 'read'],
  toolsets: ['knowledge', 'knowledge_base'],
  matches: (uri) => KNOWLEDGE_URI.test(uri),
  read: async (uri, { cairn }) => {
    const itemId = itemIdOf(uri);
    if (itemId === undefined) throw resourceNotFound(uri);
    try {
      const item = await cairn.query('item.get', { itemId, surface: 'mcp' });
      return { uri, mimeType: 'text/plain', ...shownOf(item) };
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.kind === 'missing') throw resourceNotFound(uri);
      throw thrown;
    }
  },
};

export const RESOURCE_TEMPLATES: readonly ResourceTemplate[] = [artifactResource, folioResource, knowledgeEntry];
