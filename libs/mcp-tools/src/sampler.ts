import { cleanTrail, type Trace, type Trail } from './hint.js';

export const SAMPLER_MS_MAX = 500;

/** Lets a language model reword the hints. None is built in: without one, a hint is its template. */
export interface Sampler {
  sample(request: { readonly kind: string; readonly tool: string; readonly trace: Trace }): Promise<string | undefined>;
}

const inTime = async (answer: Promise<string | undefined>): Promise<string | undefined> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), SAMPLER_MS_MAX);
  });
  // If a sampler fails, only its wording is lost, not the answer.
  return Promise.race([answer, late]).then(
    (text) => (clearTimeout(timer), text),
    () => (clearTimeout(timer), undefined),
  );
};

/**
 * The trail with the sampler's wording of its message, if it answered in time. Kind, suggested calls and trace stay.
 */
export const sampled = async (trail: Trail, tool: string, sampler: Sampler | undefined): Promise<Trail> => {
  const clean = cleanTrail(trail);
  if (!sampler) return clean;
  const { hint, trace } = clean;
  const ask = async (): Promise<string | undefined> => sampler.sample({ kind: hint.kind, tool, trace });
  const message = (await inTime(ask()))?.trim();
  return message ? cleanTrail({ ...clean, hint: { ...hint, message } }) : clean;
};
