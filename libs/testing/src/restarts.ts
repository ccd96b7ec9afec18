/** Lets a test wait for the next time that a supervisor has brought its server back. */
export const restarts = () => {
  let waiting: (() => void)[] = [];
  return {
    onRestart: (): void => {
      const due = waiting;
      waiting = [];
      for (const resolve of due) resolve();
    },
    nextRestart: (): Promise<void> => new Promise((resolve) => waiting.push(resolve)),
  };
};
