import type { AppError } from '@cairn/kernel';
import { quote, type ToolHints, type Trail } from '../../hint.js';
import type { CommitToFolioAnswer, CommitToFolioArgs } from '../commit-to-folio.tool.js';
import { commonFailure, nextCall } from './common.hints.js';

const TOOL = 'commit_to_folio';
/** Names that a hint lists. */
const NAMES_MAX = 8;

type Args = Readonly<Record<string, unknown>>;

const namesIn = ({ details }: AppError): readonly string[] => {
  const { candidates, engrams } = details;
  if (Array.isArray(candidates)) return candidates.map(({ name }: { name: string }) => name);
  return Array.isArray(engrams) ? (engrams as readonly string[]) : [];
};

/** The same text under an existing name. The token of the failed call is left out, because it identifies that call. */
const again = (args: Args, folioName: string) => {
  const { content, extraMetadata, clientToken: _ } = args;
  return nextCall(TOOL, { folioName, content, extraMetadata });
};

const unknownFolio = (args: Args, error: AppError): Trail => {
  const names = namesIn(error);
  const isClose = error.code === 'engram.close_matches';
  const [best] = names;
  const list = names.slice(0, NAMES_MAX).map(quote).join(', ');
  const message =
    best === undefined
      ? 'This token can write to no folio. Ask an admin for one.'
      : `No folio is named ${quote(args['folioName'])}. ${isClose ? 'Similar' : 'Existing'} ones: ${list}. Call again with one of these names.`;
  return {
    hint: { kind: 'commitUnknownFolio', message, next: isClose && best !== undefined ? [again(args, best)] : [] },
    trace: { step: 'folder', folioName: args['folioName'], failed: error.code },
    traced: `looked for a folio named ${quote(args['folioName'])} → ${isClose ? `${names.length} similar` : 'none'}; nothing was stored`,
  };
};

const UNKNOWN: ReadonlySet<string> = new Set(['engram.close_matches', 'engram.not_found']);

export const commitToFolioHints: ToolHints<CommitToFolioArgs, CommitToFolioAnswer> = {
  // A commit is stored or refused, so its answer is never empty.
  empty: () => undefined,
  error: ({ args, error }) =>
    UNKNOWN.has(error.code)
      ? unknownFolio(args, error)
      : commonFailure({ tool: TOOL, args, error, trace: { step: 'store', folioName: args['folioName'] } }),
};
