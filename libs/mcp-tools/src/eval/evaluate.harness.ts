import type { Agent, AgentAnswer } from './agent.harness.js';
import type { Library } from './library.builder.js';
import { TRAJECTORIES, type Step, type Trajectories } from './trajectories.harness.js';

export type Outcome = 'answered' | 'empty' | 'failed';

export interface Taken {
  readonly tool: string;
  readonly arguments: object;
  readonly outcome: Outcome;
  readonly code?: string;
  readonly hint?: string;
  /** The texts that a model sees, with ids, times and marks replaced. */
  readonly text: readonly string[];
}

export type Transcript = Readonly<Record<'success' | 'repair', readonly Taken[]>>;

export interface Evaluation {
  /** Answers with a hint, and how many of them suggest a first call that was answered. */
  readonly hinted: number;
  readonly repaired: number;
  readonly trajectories: Readonly<Record<string, Transcript>>;
}

export interface Scene {
  readonly agent: Agent & { readonly outsideRun?: Agent };
  readonly library: Library;
}

const outcomeOf = ({ isError, structuredContent }: AgentAnswer): Outcome => {
  if (isError) return 'failed';
  return structuredContent.hint === undefined ? 'answered' : 'empty';
};

const ID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
/** The marks around stored texts, which are new each time. */
const MARK = /\b[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

/** An id has the same number everywhere in one trajectory. */
const replacer = () => {
  const ids = new Map<string, string>();
  const numbered = (id: string): string => {
    const known = ids.get(id) ?? `<id ${ids.size + 1}>`;
    ids.set(id, known);
    return known;
  };
  const inText = (text: string): string => text.replace(ID, numbered).replace(MARK, '<mark>').replace(TIME, '<time>');
  return <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (_, inner: unknown) => (typeof inner === 'string' ? inText(inner) : inner)) as T;
};

interface Call {
  readonly tool: string;
  readonly arguments: object;
  readonly agent: Agent;
}

const callOf = (step: Step, { agent, library }: Scene, all: readonly AgentAnswer['structuredContent'][]): Call => {
  const last = all.at(-1);
  if (step !== 'follow') {
    const args = step.args(library, last, all);
    return { tool: step.tool, arguments: args, agent: (step.isOutsideRun ? agent.outsideRun : undefined) ?? agent };
  }
  const next = last?.hint?.next?.[0];
  if (next === undefined) throw new Error(`no call is suggested: ${JSON.stringify(last)}`);
  return { ...(next as { tool: string; arguments: object }), agent };
};

const takenOf = (called: Call, answer: AgentAnswer): Taken => {
  const { code, hint } = answer.structuredContent as { code?: string; hint?: { kind: string } };
  return {
    tool: called.tool,
    arguments: called.arguments,
    outcome: outcomeOf(answer),
    ...(answer.isError && code !== undefined && { code: String(code) }),
    ...(hint && { hint: hint.kind }),
    text: answer.content.flatMap(({ text }) => (text === undefined ? [] : [text])),
  };
};

const taken = async (steps: readonly Step[], scene: Scene): Promise<readonly Taken[]> => {
  const replaced = replacer();
  const transcript: Taken[] = [];
  const answers: AgentAnswer['structuredContent'][] = [];
  for (const step of steps) {
    const called = callOf(step, scene, answers);
    const answer = await called.agent.call(called.tool, called.arguments);
    answers.push(answer.structuredContent);
    transcript.push(replaced(takenOf(called, answer)));
  }
  return transcript;
};

/** A script that does not reach its goal is a defect of the tool or of the script, whatever the baseline states. */
const problemIn = (tool: string, { success, repair }: Transcript): string | undefined => {
  const isStuck = [success, repair].some((steps) => steps.at(-1)?.outcome !== 'answered');
  if (isStuck) return `${tool}: a trajectory does not end with an answer`;
  const hasFailed = repair.some(({ outcome }) => outcome !== 'answered');
  return hasFailed ? undefined : `${tool}: nothing is repaired`;
};

/** Counts the answers with a hint in a transcript, and the suggested calls that were answered. */
const countIn = (steps: readonly Step[], transcript: readonly Taken[]): Pick<Evaluation, 'hinted' | 'repaired'> => ({
  hinted: transcript.filter(({ hint }) => hint !== undefined).length,
  repaired: steps.filter((step, i) => step === 'follow' && transcript[i]?.outcome === 'answered').length,
});

export interface EvaluateOptions {
  /** A library that no other script has changed, if possible. */
  readonly scene: () => Promise<Scene>;
  readonly isInMemory: boolean;
  readonly trajectories?: Readonly<Record<string, Trajectories>>;
}

type Scripts = readonly (readonly [tool: string, Trajectories])[];

/** Checks that every tool has trajectories, and every trajectory a tool. */
const scriptsOf = async ({ scene, isInMemory, trajectories = TRAJECTORIES }: EvaluateOptions): Promise<Scripts> => {
  const offered = await (await scene()).agent.tools();
  const scripts = Object.entries(trajectories).filter(([, { isInMemoryOnly }]) => isInMemory || !isInMemoryOnly);
  const missing = offered.filter((name) => !Object.hasOwn(trajectories, name));
  if (missing.length > 0) throw new Error(`no trajectory: ${missing.join(', ')}`);
  const unknown = scripts.filter(([name]) => !offered.includes(name));
  if (unknown.length > 0) throw new Error(`no tool: ${unknown.map(([name]) => name).join(', ')}`);
  return scripts;
};

/** Runs every trajectory. Throws if a tool has none, a trajectory has no tool, or one does not end with an answer. */
export const evaluate = async (options: EvaluateOptions): Promise<Evaluation> => {
  const trajectories: Record<string, Transcript> = {};
  let [hinted, repaired] = [0, 0];
  for (const [name, script] of await scriptsOf(options)) {
    const success = await taken(script.success, await options.scene());
    const repair = await taken(script.repair, await options.scene());
    const problem = problemIn(name, { success, repair });
    if (problem) throw new Error(`${problem}\n${JSON.stringify({ success, repair }, null, 2)}`);
    trajectories[name] = { success, repair };
    for (const counts of [countIn(script.success, success), countIn(script.repair, repair)]) {
      hinted += counts.hinted;
      repaired += counts.repaired;
    }
  }
  return { hinted, repaired, trajectories };
};

/** The results that must be the same on every host: which calls are answered, and which hints they get. */
export const outcomesOf = ({ trajectories }: Evaluation, names: readonly string[]): object =>
  Object.fromEntries(
    names.map((name) => {
      const { success, repair } = trajectories[name]!;
      const shown = ({ tool, outcome, hint }: Taken): string => [tool, outcome, ...(hint ? [hint] : [])].join(' ');
      return [name, { success: success.map(shown), repair: repair.map(shown) }];
    }),
  );
