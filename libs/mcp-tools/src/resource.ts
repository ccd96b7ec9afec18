import { fail, Uuid, type Scope, type Toolset } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';
import type { CairnPort } from './cairn.port.js';
import { neutralise, SANITIZED_META } from './hygiene.js';

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
  /** Any one of them opens it. */
  readonly scopes: readonly Scope[];
  readonly toolsets: readonly Toolset[];
  matches(uri: string): boolean;
  read(uri: string, cairn: CairnPort): Promise<ResourceText>;
}

const KNOWLEDGE_URI = /^drobek:\/\/knowledge\/([^/?#]+)$/;

export const knowledgeUri = (itemId: string): string => `drobek://knowledge/${itemId}`;

/** One answer for "does not exist" and "not in your scope". */
export const resourceNotFound = (uri: string): AppError =>
  fail('resource.not_found', 'there is no such resource', { uri });

const idOf = (uri: string): string => {
  const parsed = Uuid.safeParse(KNOWLEDGE_URI.exec(uri)?.[1]);
  if (!parsed.success) throw resourceNotFound(uri);
  return parsed.data;
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
  read: async (uri, cairn) => {
    const itemId = idOf(uri);
    try {
      const item = await cairn.query('item.get', { itemId, surface: 'mcp' });
      const text = neutralise(item.content);
      const changed = text === item.content ? {} : { _meta: { [SANITIZED_META]: true } };
      return { uri, mimeType: 'text/plain', text, ...changed };
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.kind === 'missing') throw resourceNotFound(uri);
      throw thrown;
    }
  },
};

export const RESOURCE_TEMPLATES: readonly ResourceTemplate[] = [knowledgeEntry];
