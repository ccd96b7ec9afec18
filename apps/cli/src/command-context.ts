/** What every command is given: the environment, where its lines go, and how it says how it ended. */
export interface CommandContext {
  /** As the shell gave it. Each command checks the part it needs, so that help is there in a bad environment too. */
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
