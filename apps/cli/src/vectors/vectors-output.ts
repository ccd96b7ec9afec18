import { plural, type VectorParity } from '@cairn/contracts';
import type { ReembedProgress } from './follow-reembedding.js';
import type { VectorsStatus } from './vector-counts.js';

export const progressLine = ({ id, done, total, perSecond }: ReembedProgress): string => {
  const percent = total === 0 ? 0 : Math.floor((100 * done) / total);
  const left = perSecond > 0 ? `, ${Math.ceil((total - done) / perSecond)} s to go` : '';
  return `${id}: ${done} of ${plural(total, 'op')} with texts (${percent} %), ${perSecond} per second${left}`;
};

const parityLine = ({ sampled, overlapAt10, liveVectors, nextVectors }: VectorParity): string => {
  const overlap =
    overlapAt10 === null
      ? 'no text to compare'
      : `${Math.round(100 * overlapAt10)} % of the ten nearest texts of ${sampled} sampled texts are the same`;
  return `  compared: ${liveVectors} vectors before, ${nextVectors} after; ${overlap}`;
};

export const statusLines = (status: VectorsStatus): string[] => {
  const { live, next, previous, dropped, chunks, vectors } = status;
  const line = (what: string, id: string): string => `${what}: ${id}, ${vectors[id] ?? 0} of ${chunks} chunks`;
  return [
    line('searches use', live.id),
    ...(next ? [line(next.parity ? 'complete, waiting for `cairn vectors flip`' : 'being made', next.id)] : []),
    ...(next?.parity ? [parityLine(next.parity)] : []),
    ...(previous ? [`${line('kept for a rollback', previous.id)}, until ${previous.keptUntil}`] : []),
    ...(previous?.parity ? [parityLine(previous.parity)] : []),
    ...dropped.map((id) => `being removed: ${id}`),
  ];
};
