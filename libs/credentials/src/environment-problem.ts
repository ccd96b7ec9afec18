import { ConfigError } from '@cairn/kernel';

/** A variable, and what is wrong with it. */
export interface EnvironmentProblem {
  readonly variable: string;
  readonly problem: string;
}

/** The error of `loadConfig`, for rules that several variables have together. */
export const badEnvironment = (...problems: readonly EnvironmentProblem[]): ConfigError =>
  new ConfigError(`Bad environment:\n${problems.map((one) => `  ${one.variable}: ${one.problem}`).join('\n')}`);

type Env = Readonly<Record<string, unknown>>;

/** Two variables of which neither means anything alone. */
export const requireTogether = (env: Env, first: string, second: string): void => {
  const isSet = (name: string): boolean => env[name] !== undefined;
  if (isSet(first) === isSet(second)) return;
  const [variable, missing] = isSet(first) ? [first, second] : [second, first];
  throw badEnvironment({ variable, problem: `needs ${missing}; set both, or neither` });
};
