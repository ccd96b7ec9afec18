/** Lets a test wait until a supervisor has restarted its server. */
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
