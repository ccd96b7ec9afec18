import { Uuid } from '@cairn/contracts';

/** An argument of every tool that an agent may have to repeat without knowing whether the first call succeeded. */
export const ClientToken = Uuid.optional().describe(
  'Idempotence key of the calling agent: the same call with the same token, within 60 seconds of the first, is carried ' +
    'out once and answered as the first time.',
);
