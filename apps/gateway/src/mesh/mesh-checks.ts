import { can, type Connector } from '@cairn/connectors';
import {
  confirmationUseSubject,
  fail,
  MESH_IN_FLIGHT_PER_WORKSPACE,
  MESH_TEXT_TOKENS_MAX,
  type LocatedText,
} from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import type { BudgetCounter } from './budget-counter.port.js';
import type { DayTokens } from './daily-tokens.js';

/** One requested fetch, and its reservations so far. */
export interface MeshRequest {
  readonly workspaceId: string;
  readonly connector: Connector | undefined;
  readonly located: LocatedText;
  /** The smaller of the document's size and the maximum per fetch; undefined if the source does not know the size. */
  readonly estimate: () => Promise<number | undefined>;
  readonly day: DayTokens;
  /**
   * Registers how to undo a check's reservation if a later check rejects the fetch. Called once it is counted: if it is
   * unknown whether it was, it stays, so that a budget is spent too early and never too late.
   */
  readonly giveBack: (undo: () => Promise<unknown> | void) => void;
}

export interface MeshState {
  readonly counter: BudgetCounter;
  /** Fetches in flight, by workspace. */
  readonly inFlight: Map<string, number>;
}

export interface MeshCheck {
  readonly name: 'capability' | 'account' | 'confirmation' | 'batch' | 'budget' | 'concurrency';
  /** Throws if the check rejects the fetch. */
  readonly pass: (request: MeshRequest, state: MeshState) => Promise<void> | void;
}

const unsupported = (): AppError =>
  fail('mesh.unsupported', 'the text of this item cannot be fetched from its source: what is stored is all there is');

const accountOff = (): AppError =>
  fail('mesh.account_off', 'fetching is off for the account of this item; an admin can turn it on');

const invalidConfirmation = (): AppError =>
  fail(
    'mesh.confirmation_invalid',
    'the confirmation_token is not valid: it is used up, too old, or for another item or agent; a person can issue a new one',
    { field: 'uri' },
  );

/** A token that is sent must be valid, even if none is needed. */
const confirmed: MeshCheck['pass'] = async ({ located, workspaceId, giveBack }, { counter }) => {
  const { confirmation, nonce, account } = located;
  if (confirmation === 'invalid') throw invalidConfirmation();
  if (confirmation === 'none') {
    if (account?.confirm !== 'always') return;
    throw fail(
      'mesh.confirmation_required',
      'a person must confirm each fetch of this account: ask for the uri with a confirmation_token',
      { field: 'uri' },
    );
  }
  const subject = confirmationUseSubject(workspaceId, nonce ?? '');
  const uses = await counter.add(subject, 1);
  giveBack(() => counter.add(subject, -1));
  if (uses !== 1) throw invalidConfirmation();
};

/** The maximum that one fetch may return: limited by the account and by what the person has confirmed. */
const batchTokensMax = ({ account, maxTokens }: LocatedText): number =>
  Math.min(account?.batchTokensMax ?? 0, maxTokens ?? Number.POSITIVE_INFINITY);

/** Throws for a text that costs more than one fetch may. */
export const checkBatch = (tokens: number, located: LocatedText): void => {
  const limit = batchTokensMax(located);
  if (tokens <= limit) return;
  throw fail(
    'mesh.batch_too_large',
    `the text has about ${tokens} tokens, and at most ${limit} may be fetched at once`,
    {
      limit,
    },
  );
};

/** A text of unknown size is checked once it has been fetched. */
const withinBatch: MeshCheck['pass'] = async ({ located, estimate }) => checkBatch((await estimate()) ?? 0, located);

/** The highest possible cost of a fetch. */
export const reservedFor = (located: LocatedText, estimate: number | undefined): number =>
  estimate ?? Math.min(MESH_TEXT_TOKENS_MAX, batchTokensMax(located));

/** Reserves the estimate, so replicas cannot spend the same tokens; the resolver corrects it to the actual cost. */
const withinBudget: MeshCheck['pass'] = async ({ day, located, estimate, giveBack }) => {
  const tokens = reservedFor(located, await estimate());
  const sum = await day.add(tokens);
  giveBack(() => day.add(-tokens));
  const limit = located.dailyTokensMax;
  if (limit === null || sum <= limit) return;
  throw fail('mesh.budget_spent', `the workspace may fetch ${limit} tokens per day (UTC), and too few are left`, {
    limit,
    retryAfterSec: day.secondsLeft(),
  });
};

const withinConcurrency: MeshCheck['pass'] = ({ workspaceId, giveBack }, { inFlight }) => {
  const count = inFlight.get(workspaceId) ?? 0;
  if (count >= MESH_IN_FLIGHT_PER_WORKSPACE) {
    const limit = MESH_IN_FLIGHT_PER_WORKSPACE;
    throw fail('busy', `this workspace has ${limit} fetches in flight; try again`, { limit });
  }
  inFlight.set(workspaceId, count + 1);
  giveBack(() => {
    const left = (inFlight.get(workspaceId) ?? 1) - 1;
    if (left === 0) inFlight.delete(workspaceId);
    else inFlight.set(workspaceId, left);
  });
};

/** In this order: the first failing check is the one that is reported. */
export const MESH_CHECKS: readonly MeshCheck[] = [
  {
    name: 'capability',
    pass: ({ connector, located }) => {
      if (!connector || !can(connector, 'hydrate:text') || located.ref === null) throw unsupported();
    },
  },
  {
    name: 'account',
    pass: ({ located }) => {
      if (located.account?.hydrate !== true) throw accountOff();
    },
  },
  { name: 'confirmation', pass: confirmed },
  { name: 'batch', pass: withinBatch },
  { name: 'budget', pass: withinBudget },
  { name: 'concurrency', pass: withinConcurrency },
];
