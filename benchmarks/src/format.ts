import type { Round } from './load.js';

const GB = 1e9;

export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
export const perSecond = (value: number, unit: string): string => `${Math.round(value)} ${unit}/s`;
export const gigabytes = (bytes: number): string => `${(bytes / GB).toFixed(2)} GB`;
export const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
export const times = (value: number): string => `${value.toFixed(1)}x`;

export const roundText = ({ p50Ms, p95Ms, rate, cpuMs }: Round): string => {
  const cpu = Number.isNaN(cpuMs) ? '' : `, cpu ${ms(cpuMs)}`;
  return `p50 ${ms(p50Ms)}, p95 ${ms(p95Ms)}, ${Math.round(rate)}/s${cpu}`;
};
