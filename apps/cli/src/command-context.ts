/** What every command receives: the environment, where to print, and how to set the exit code. */
export interface CommandContext {
  /** Unchecked. Each command validates the variables it needs, so that help works in a bad environment too. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (line: string) => void;
  /** Progress goes here, so that standard output stays a report. */
  readonly err: (line: string) => void;
  readonly exit: (code: number) => void;
}

/** A report for a program or for a person. */
export const printReport = (
  { out }: CommandContext,
  asJson: boolean | undefined,
  report: unknown,
  lines: readonly string[],
): void => (asJson ? out(JSON.stringify(report)) : lines.forEach((line) => out(line)));
