import { useEffect, useRef, useState } from 'react';
import { droppedFiles } from './uploads.js';
import classes from './uploads.module.css';

export type Dropped = ReturnType<typeof droppedFiles>;

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

/** Accepts files that are dropped anywhere on the page, and shows a hint while they are dragged over it. */
export const DropTarget = ({ onDrop }: { readonly onDrop: (dropped: Dropped) => void }) => {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onDrop);
  latest.current = onDrop;
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      // Without this, the browser would open the file in place of the console.
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      // Only when the pointer leaves the window: it enters and leaves every element on its way.
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      setOver(false);
      latest.current(droppedFiles(event.dataTransfer));
    };
    window.addEventListener('dragover', over, { signal });
    window.addEventListener('dragleave', leave, { signal });
    window.addEventListener('drop', drop, { signal });
    return () => ending.abort();
  }, []);
  return isOver && <div className={classes.target}>Drop files to upload them</div>;
};
