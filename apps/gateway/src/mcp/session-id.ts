import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A multiple of three bytes, so base64 has one spelling only. */
const PART_BYTES = 18;
const PART_CHARS = (PART_BYTES * 4) / 3;
const FORM = new RegExp(`^[\\w-]{${2 * PART_CHARS}}$`);

const proofOf = (name: string, credential: string): string =>
  createHmac('sha256', credential).update(`mcp session ${name}`).digest().subarray(0, PART_BYTES).toString('base64url');

/**
 * An id that every gateway can check without asking: a random name, and a proof that takes the caller's credential to
 * make (ADR 0123).
 */
export const mintSessionId = (credential: string): string => {
  const name = randomBytes(PART_BYTES).toString('base64url');
  return name + proofOf(name, credential);
};

/** Identifies the session; without the proof, it cannot be used. */
export const sessionName = (sessionId: string): string => sessionId.slice(0, PART_CHARS);

export const isSessionOf = (sessionId: string, credential: string): boolean => {
  if (!FORM.test(sessionId)) return false;
  const proof = proofOf(sessionName(sessionId), credential);
  return timingSafeEqual(Buffer.from(sessionId.slice(PART_CHARS)), Buffer.from(proof));
};
