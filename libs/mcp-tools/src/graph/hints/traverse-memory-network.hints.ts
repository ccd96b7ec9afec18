import { Uuid } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import type { ToolHints, Trace, Trail } from '../../hint.js';
import { quote } from '../../hint.js';
import type { TraverseAnswer, TraverseArguments } from '../traverse-memory-network.tool.js';
import { commonFailure, faultyFields, nextCall } from './common.hints.js';

const TOOL = 'carabase_traverse_memory_network';
const SEARCH = 'carabase_search_semantic';

/** The trace as text for the header, without its brackets. */
export const traceWords = (trace: Trace): string =>
  Object.entries(trace)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');

/** Nothing is linked to the anchors, or no path connects them. An answer may hold only anchors because its limit is reached. */
const noLinks = ({ args, structured }: { args: TraverseArguments; structured: TraverseAnswer }): Trail | undefined => {
  const { memories, trace } = structured;
  if (memories.length > 0 && trace.links > 0) return undefined;
  const wider = { anchor: args.anchor, mode: args.mode, depth: 3 };
  const isWide = args.depth === 3 && args.min_confidence === 0;
  return {
    hint: {
      kind: 'traverseNoLinks',
      message:
        memories.length === 0
          ? 'No way leads from one anchor to the other. Walk from one of them with mode neighbours, or search by meaning.'
          : 'No visible link leads from the anchor to another memory. Search by meaning for related memories, and walk from one of those.',
      next: [
        ...(isWide ? [] : [nextCall(TOOL, wider)]),
        nextCall(SEARCH, { query: memories[0]?.title ?? 'related memories' }),
      ],
    },
    trace,
    traced: traceWords(trace),
  };
};

type Given = Readonly<Record<string, unknown>>;

/** The anchor that was refused; undefined where the failure is about something else, such as how many there are. */
const refusedAnchor = (anchor: unknown, { code, details }: AppError): unknown => {
  const index = /^anchor(?:\[(\d+)\])?$/.exec(String(details['field']));
  if (!index || code !== 'input.invalid') return undefined;
  if (!Array.isArray(anchor)) return typeof anchor === 'string' ? anchor : undefined;
  return index[1] === undefined ? undefined : (anchor as unknown[])[Number(index[1])];
};

/** A keyword is not an anchor: a search finds the ids. */
const notUuid = (anchor: string, error: AppError): Trail => ({
  hint: {
    kind: 'traverseNotUuid',
    message: `anchor takes ids of memories, not words. Call ${SEARCH} first and pass the memory_id of a hit.`,
    next: [nextCall(SEARCH, { query: anchor })],
  },
  trace: { anchor, failed: error.code },
  traced: `${TOOL} refused the anchor ${quote(anchor)}: not the id of a memory`,
});

/** One id in place of a list of ids. The corrected call is suggested if it has no other fault. */
const notList = (args: Given, anchor: string, error: AppError): Trail => {
  const isPath = args['mode'] === 'shortest_path';
  return {
    hint: {
      kind: 'invalidArguments',
      message: isPath
        ? 'anchor is a list of ids. With mode shortest_path it has two: the memory to start from and the one to reach.'
        : 'anchor is a list of ids, even for one memory. Put the id into a list and call again.',
      next: isPath || faultyFields(error).length > 1 ? [] : [nextCall(TOOL, { ...args, anchor: [anchor] })],
    },
    trace: { anchor, failed: error.code },
    traced: `${TOOL} failed with ${error.code} at anchor: not a list`,
  };
};

const unknownMemory = (args: Given, error: AppError): Trail => ({
  hint: {
    kind: 'notFound',
    message: `There is no memory with this id, or this token may not see it. Pass the memory_id of a hit of ${SEARCH}.`,
    next: [],
  },
  trace: { anchor: args['anchor'], failed: error.code },
  traced: `${TOOL} failed with ${error.code} at ${faultyFields(error)[0] ?? 'anchor'}`,
});

export const traverseHints: ToolHints<TraverseArguments, TraverseAnswer> = {
  empty: noLinks,
  error: ({ args, error }) => {
    if (error.code === 'memory.not_found') return unknownMemory(args, error);
    const anchor = refusedAnchor(args['anchor'], error);
    if (typeof anchor === 'string')
      return Uuid.safeParse(anchor).success ? notList(args, anchor, error) : notUuid(anchor, error);
    return commonFailure({ tool: TOOL, args, error, trace: { mode: args['mode'], depth: args['depth'] } });
  },
};
