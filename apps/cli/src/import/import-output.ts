import { plural } from '@cairn/contracts';
import type { FailedFile } from './failed-file.js';
import type { FoundFile } from './walk-folder.js';
import type { ImportProgress, ImportReport } from './run-import.js';

const UNITS = ['byte', 'KiB', 'MiB', 'GiB', 'TiB'];
const BAR_WIDTH = 20;
const FAILURES_SHOWN = 50;

export const sizeText = (bytes: number): string => {
  const power = bytes < 1_024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  if (power === 0) return plural(Math.round(bytes), 'byte');
  return `${(bytes / 1_024 ** power).toFixed(1)} ${UNITS[power]}`;
};

const timeText = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;

/** Files and bytes both take time, so progress is the mean of the two shares. */
const shareOf = (files: number, bytes: number, { filesTotal, bytesTotal }: ImportProgress): number =>
  filesTotal === 0 ? 1 : (files / filesTotal + (bytesTotal === 0 ? files / filesTotal : bytes / bytesTotal)) / 2;

const shareDone = (progress: ImportProgress): number => shareOf(progress.files, progress.bytes, progress);

/** Files that were imported before are skipped at once, so they say nothing about the time that the others take. */
const paceText = (progress: ImportProgress): string => {
  const { files, filesKnown, bytes, bytesKnown, seconds } = progress;
  const [filesSent, bytesSent] = [files - filesKnown, bytes - bytesKnown];
  if (seconds <= 0 || filesSent === 0) return '';
  const left = 1 - shareDone(progress);
  const toGo = left > 0 ? `, ${timeText((seconds * left) / shareOf(filesSent, bytesSent, progress))} to go` : '';
  return `, ${(filesSent / seconds).toFixed(1)} files/s, ${sizeText(bytesSent / seconds)}/s${toGo}`;
};

export const progressLine = (progress: ImportProgress): string => {
  const { files, filesTotal, bytes, bytesTotal, waiting } = progress;
  const done = `${files} of ${plural(filesTotal, 'file')}, ${sizeText(bytes)} of ${sizeText(bytesTotal)}`;
  if (waiting !== undefined) return `${done}, waiting for ${waiting}`;
  return `${done}${paceText(progress)}`;
};

export const progressBar = (progress: ImportProgress): string => {
  const filled = Math.floor(BAR_WIDTH * shareDone(progress));
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${progressLine(progress)}`;
};

const skippedLines = (skipped: Readonly<Record<string, number>>): string[] =>
  Object.entries(skipped)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([reason, count]) => `skipped, ${reason}: ${count}`);

const failedLines = (how: string, failed: readonly FailedFile[]): string[] => [
  ...failed.slice(0, FAILURES_SHOWN).map(({ path, code, message }) => `${how}: ${path}: ${message} (${code})`),
  ...(failed.length > FAILURES_SHOWN ? [`and ${failed.length - FAILURES_SHOWN} more; --json lists all`] : []),
];

export const reportLines = ({ imported, known, failed, left, skipped, seconds, stopped }: ImportReport): string[] => [
  ...failedLines('failed', failed),
  ...skippedLines(skipped),
  `${imported} imported, ${known} imported before, ${failed.length} failed in ${timeText(seconds)}`,
  ...(stopped === undefined
    ? []
    : [`${stopped}: ${plural(left, 'file')} left. Run the same command again to go on where this one stopped.`]),
];

/** What a real run would do now with the files that were found. */
export const dryRunLines = (
  files: readonly FoundFile[],
  { known, failed, left, skipped, stopped }: ImportReport,
): string[] => [
  ...files.map(({ path, bytes }) => `would import ${path} (${sizeText(bytes)})`),
  ...failedLines('would fail', failed),
  ...skippedLines(skipped),
  `${files.length} to import (${sizeText(files.reduce((total, { bytes }) => total + bytes, 0))}), ` +
    `${known} imported before, ${failed.length} would fail`,
  ...(stopped === undefined ? [] : [`${stopped}: ${plural(left, 'file')} not looked at`]),
];
