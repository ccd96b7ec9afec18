import { relativeTime } from './format.js';

/** A time as people say it, with the exact one for those who point at it. */
export const When = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={at}>
    {relativeTime(at, Date.now())}
  </time>
);
