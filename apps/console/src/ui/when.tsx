import { relativeTime } from './format.js';

/** A time in words, with the exact one as a tooltip. */
export const When = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={at}>
    {relativeTime(at, Date.now())}
  </time>
);
