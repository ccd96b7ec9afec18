import { plural } from '@cairn/contracts';
import type { RepairReport } from './repair.js';

const FINDINGS_SHOWN = 20;

/** What only the broker had. */
const NOT_RESTORED = [
  'not restored: ops that were acknowledged and not yet applied to the database, corrections that wait to be applied,',
  'hourly and daily counts, sign-in codes, a choice of vectors that differs from the configuration',
];

const secretsLine = (secrets: 'restored' | 'present' | 'lost'): string[] =>
  secrets === 'lost'
    ? [
        'the secrets of the installation had no copy: receipts get a new signing key; rebuild the graph with `cairn oplog replay graph`',
      ]
    : [];

export const repairLines = ({ plan, done }: RepairReport): string[] => {
  const { head, equalUpTo, ops, erased, forgettings, keyOwners, vectors } = plan;
  const start = [`the archive is complete up to ${head}; the stream OPLOG has it up to ${equalUpTo}`];
  if (!done)
    return [
      ...start,
      `would write ${plural(ops, 'op')} and leave ${plural(erased, 'position')} empty, as forgettings say`,
      `would check ${plural(forgettings, 'forgetting')}, the keys of ${plural(keyOwners, 'owner')} and ${plural(vectors, 'vector')}, and write those that are missing`,
    ];
  return [
    ...start,
    `wrote ${plural(ops, 'op')} and left ${plural(erased, 'position')} empty, as forgettings say`,
    `wrote ${plural(done.forgettings, 'forgetting')}, ${plural(done.keys.restored, 'record')} of keys, ${plural(done.keys.destroyed, 'mark')} of destroyed keys, ${plural(done.vectors, 'vector')}`,
    ...secretsLine(done.keys.secrets),
    ...NOT_RESTORED,
    ...done.findings.slice(0, FINDINGS_SHOWN).map(({ position, problem }) => `position ${position}: ${problem}`),
    ...(done.findings.length > FINDINGS_SHOWN ? [`and ${done.findings.length - FINDINGS_SHOWN} more`] : []),
    done.findings.length === 0
      ? 'repaired: sequence, hash chain, archive and counts agree. Start ingest, then the others'
      : `${plural(done.findings.length, 'difference')} found`,
  ];
};
