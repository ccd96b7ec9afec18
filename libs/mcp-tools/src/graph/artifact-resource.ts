import { Uuid, type QueryAnswer } from '@cairn/contracts';
import { compactFormatOf, compactText, countTokens } from '@cairn/graph';
import { AppError } from '@cairn/kernel';
import { neutralise, SANITIZED_META } from '../hygiene.js';
import type { ResourceTemplate, ResourceText } from '../resource.js';
import { resourceNotFound } from '../resource-not-found.js';
import type { ToolContext } from '../tool.js';

const ARTIFACT_URI = /^carabase:\/\/artifact\/([^/?#]+)(?:\?([^#]*))?$/;
const QUERY_CHARS_MAX = 2_000;

/** In `_meta` of a resource's content: its text is incomplete. */
const COMPACTED_META = 'cairn/compacted';

/** In `_meta` of a resource's content: the address of the full text, if only a summary is stored. */
const MESH_URI_META = 'cairn/mesh_uri';

const MIME_TYPES: Readonly<Record<string, string>> = { csv: 'text/csv', md: 'text/markdown' };

interface ArtifactReference {
  readonly itemId: string;
  /** Decides what a compaction keeps first. */
  readonly query: string;
}

const referenceOf = (uri: string): ArtifactReference | undefined => {
  const match = ARTIFACT_URI.exec(uri);
  const { data: itemId } = Uuid.safeParse(match?.[1]);
  if (itemId === undefined) return undefined;
  const params = new URLSearchParams(match?.[2] ?? '');
  const query = params.get('q') ?? '';
  const isKnown = [...params.keys()].every((name) => name === 'q');
  return isKnown && query.length <= QUERY_CHARS_MAX ? { itemId, query } : undefined;
};

type Shown = Pick<ResourceText, 'text' | '_meta'>;

/**
 * The address of the rest of the text, for an item that holds only a part of it. A dark item's text is never fetched.
 */
const meshUriShown = ({ meshUri, retention }: QueryAnswer<'item.get'>): string | null =>
  retention === 'dark' ? null : meshUri;

/** Appended as the last line, because many clients show a model only the text. */
const withMeshUri = (meshUri: string, { text, _meta }: Shown, maxTokens: number | undefined): Shown => {
  const longer = `${text}\n\nThe text is kept at its source; carabase_resolve_mesh_uri fetches it: ${meshUri}`;
  const fits = maxTokens === undefined || countTokens(longer) <= maxTokens;
  return { text: fits ? longer : text, _meta: { ..._meta, [MESH_URI_META]: meshUri } };
};

/** Neutralising may lengthen a text, so it comes first and the budget applies to the result. */
const storedTextOf = (
  { content, format, source }: QueryAnswer<'item.get'>,
  query: string,
  compaction: ToolContext['compaction'],
): Shown => {
  const clean = neutralise(content);
  const meta = clean === content ? {} : { [SANITIZED_META]: true };
  const known = compactFormatOf(clean, { format, sourceName: source.name });
  const { text, tokens, of } = compaction
    ? compactText(clean, { format: known, query, maxTokens: compaction.maxTokens })
    : { text: clean, tokens: 0, of: 0 };
  const cut = text === clean ? {} : { [COMPACTED_META]: { format: known, tokens, of } };
  const all = { ...meta, ...cut };
  return Object.keys(all).length === 0 ? { text } : { text, _meta: all };
};

const shownOf = (item: QueryAnswer<'item.get'>, query: string, compaction: ToolContext['compaction']): Shown => {
  const stored = storedTextOf(item, query, compaction);
  const meshUri = meshUriShown(item);
  return meshUri === null ? stored : withMeshUri(meshUri, stored, compaction?.maxTokens);
};

/** Gives the same answer for a resource that does not exist and one that the caller may not see. */
const found = async <T>(uri: string, read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.kind === 'missing') throw resourceNotFound(uri);
    throw thrown;
  }
};

export const artifactResource: ResourceTemplate = {
  uriTemplate: 'carabase://artifact/{id}{?q}',
  name: 'artifact',
  title: 'Artifact',
  description:
    'The full text of one artifact, or its summary and mesh_uri where the text is kept at its source. Hits of the graph tools ' +
    'carry this URI. Where the host limits the length of texts, q ' +
    'says what to keep: words, or predicates such as city=Oslo for a table.',
  mimeType: 'text/plain',
  scopes: ['graph:read'],
  toolsets: ['graph'],
  matches: (uri) => uri.startsWith('carabase://artifact/'),
  read: async (uri, { cairn, compaction }) => {
    const reference = referenceOf(uri);
    if (!reference) throw resourceNotFound(uri);
    const { itemId, query } = reference;
    const item = await found(uri, () => cairn.query('item.get', { itemId, surface: 'mcp' }));
    const mimeType = MIME_TYPES[item.format ?? ''] ?? 'text/plain';
    return { uri, mimeType, ...shownOf(item, query, compaction) };
  },
};

const FOLIO_URI = /^folio:\/\/([^/?#]+)\/readme$/;

export const folioResource: ResourceTemplate = {
  uriTemplate: 'folio://{id}/readme',
  name: 'folio-readme',
  title: 'Folio readme',
  description: 'The name of a folio and what its readme says about it. folio_id of a hit is the id.',
  mimeType: 'text/markdown',
  scopes: ['graph:read'],
  toolsets: ['graph'],
  matches: (uri) => FOLIO_URI.test(uri),
  read: async (uri, { cairn }) => {
    const { data: folderId } = Uuid.safeParse(FOLIO_URI.exec(uri)?.[1]);
    if (folderId === undefined) throw resourceNotFound(uri);
    const { name, readme } = await found(uri, () => cairn.query('folder.get', { folderId, surface: 'mcp' }));
    const whole = readme === '' ? `# ${name}` : `# ${name}\n\n${readme}`;
    const text = neutralise(whole);
    const meta = text === whole ? {} : { _meta: { [SANITIZED_META]: true } };
    return { uri, mimeType: 'text/markdown', text, ...meta };
  },
};
