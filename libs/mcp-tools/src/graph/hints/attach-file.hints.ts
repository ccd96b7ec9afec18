import { quote, type ToolHints } from '../../hint.js';
import type { AttachFileAnswer, AttachFileArguments } from '../attach-file.tool.js';
import { commonFailure, nextCall } from './common.hints.js';

const TOOL = 'carabase_attach_file';

export const attachFileHints: ToolHints<AttachFileArguments, AttachFileAnswer> = {
  // A file is attached or refused, so the answer is never empty.
  empty: () => undefined,
  error: ({ args, error }) => {
    const { file_name, title } = args;
    if (error.code !== 'run.missing')
      return commonFailure({
        tool: TOOL,
        args,
        error,
        trace: { step: error.code.startsWith('file.') ? 'read' : 'store', file_name },
      });
    return {
      hint: {
        kind: 'attachNoRun',
        message: 'There is no run to attach the file to. Store its text with store_knowledge instead.',
        next: [nextCall('store_knowledge', { title: title ?? file_name, body: 'The text of the file.' })],
      },
      trace: { step: 'run', file_name, failed: error.code },
      traced: `looked for the run to attach ${quote(file_name)} to → none; nothing was stored`,
    };
  },
};
