import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentInMemory } from './agent.harness.js';
import { evaluate, type Evaluation, type Scene } from './evaluate.harness.js';
import { fillLibrary } from './library.builder.js';

/** Transcripts of every trajectory on the in-memory Cairn, kept in the repository. */
const BASELINE = join(import.meta.dirname, '../../eval/baselines/agent-trajectories.snapshot.json');

export const readBaseline = (): Evaluation => JSON.parse(readFileSync(BASELINE, 'utf8')) as Evaluation;

export const writeBaseline = (evaluation: Evaluation): void =>
  writeFileSync(BASELINE, `${JSON.stringify(evaluation, null, 2)}\n`);

const scene = async (): Promise<Scene> => {
  const agent = await agentInMemory();
  return { agent, library: await fillLibrary(agent, agent) };
};

/** Each trajectory begins with its own library, so that none depends on another. */
export const evaluateInMemory = (): Promise<Evaluation> => evaluate({ scene, isInMemory: true });
