/** What every command receives: the environment, where to print, and how to set the exit code. */
export interface CommandContext {
  /** Not validated yet. Each command validates the variables that it needs, so help works in a bad environment too. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (line: string) => void;
  /** Receives the progress, so standard output holds only the report. */
  readonly err: (line: string) => void;
  readonly exit: (code: number) => void;
}

/** Prints a report as JSON for a program, or as text for a person. */
export const printReport = (
  { out }: CommandContext,
  asJson: boolean | undefined,
  report: unknown,
  lines: readonly string[],
): void => (asJson ? out(JSON.stringify(report)) : lines.forEach((line) => out(line)));
