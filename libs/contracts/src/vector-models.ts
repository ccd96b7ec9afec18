import { z } from 'zod';

/** How long the vectors that searches used before can be returned to. */
export const PREVIOUS_VECTORS_KEPT_MS = 24 * 3_600_000;

export const MODEL_ID_CHARS_MAX = 128;
const ModelId = z.string().min(1).max(MODEL_ID_CHARS_MAX);

/** How near the neighbours of sampled texts are to each other by two models. */
export const VectorParity = z.strictObject({
  /** Texts that were compared. */
  sampled: z.int().min(0),
  /** Of the ten nearest texts by one model, the mean share that is among the ten nearest by the other; null without texts. */
  overlapAt10: z.number().min(0).max(1).nullable(),
  chunks: z.int().min(0),
  liveVectors: z.int().min(0),
  nextVectors: z.int().min(0),
});
export type VectorParity = z.infer<typeof VectorParity>;

/** The vectors of one model and recipe. */
export const VectorModel = z.strictObject({
  id: ModelId,
  /** Where the embedder opens the model: the id of a built-in one, `directory:<path>` or `endpoint:<name>`. */
  source: z.string().min(1).max(4_200),
  /** The length of the vectors; a record of an earlier version does not have it. */
  dims: z.int().positive().exactOptional(),
});
export type VectorModel = z.infer<typeof VectorModel>;

const NextVectors = VectorModel.extend({
  startedAt: z.string(),
  /** Waits for an operator after it is complete, instead of going live. */
  hold: z.boolean(),
  /** Set when it is complete. */
  parity: VectorParity.optional(),
});
export type NextVectors = z.infer<typeof NextVectors>;

const PreviousVectors = VectorModel.extend({ keptUntil: z.string(), parity: VectorParity.optional() });

/** A model that an operator asked for and that the embedder has not opened yet. */
const OrderedModel = z.strictObject({
  source: VectorModel.shape.source,
  hold: z.boolean(),
  /** Why it cannot be opened. */
  problem: z.string().optional(),
});
export type OrderedModel = z.infer<typeof OrderedModel>;

/**
 * Which vectors searches use, which are being made beside them, and which can be returned to. New texts get a vector of
 * each of them.
 */
export const VectorModels = z.strictObject({
  /** The id that the embedder's own configuration gave last: a different one starts a re-embedding. */
  configured: ModelId,
  live: VectorModel,
  next: NextVectors.optional(),
  previous: PreviousVectors.optional(),
  order: OrderedModel.optional(),
  /** Their vectors are being removed. */
  dropped: z.array(ModelId),
});
export type VectorModels = z.infer<typeof VectorModels>;

const modelOf = ({ id, source, dims }: VectorModel): VectorModel => ({
  id,
  source,
  ...(dims !== undefined && { dims }),
});

const nextOf = (model: VectorModel, nowMs: number, hold = false): NextVectors => ({
  ...modelOf(model),
  startedAt: new Date(nowMs).toISOString(),
  hold,
});

/** The ids of all vectors that are kept. */
export const keptModels = ({ live, next, previous }: VectorModels): VectorModel[] =>
  [live, next, previous].filter((model) => model !== undefined);

const withoutNext = ({ next, ...models }: VectorModels): VectorModels =>
  next ? { ...models, dropped: [...models.dropped, next.id] } : models;

/** Begins to make vectors of this model, unless searches use them already. Vectors that were kept are completed. */
const beginning = (models: VectorModels, model: VectorModel, nowMs: number, hold: boolean): VectorModels => {
  if (models.next?.id === model.id) return { ...models, next: { ...models.next, hold } };
  const { previous, ...others } = withoutNext(models);
  const kept = previous && previous.id !== model.id ? { ...others, previous } : others;
  if (kept.live.id === model.id) return kept;
  const dropped = kept.dropped.filter((id) => id !== model.id);
  return { ...kept, dropped, next: nextOf(model, nowMs, hold) };
};

/**
 * The models once the embedder has opened the one of its configuration. `lastUsed` made the newest vector of an
 * installation that has no state yet. Only another configuration than the last one starts a re-embedding, so that a
 * rollback, or a model that an operator chose, survives a restart.
 */
export const withConfigured = (
  models: VectorModels | undefined,
  configured: VectorModel,
  { lastUsed, nowMs }: { readonly lastUsed: VectorModel | undefined; readonly nowMs: number },
): VectorModels => {
  const known = models ?? { configured: (lastUsed ?? configured).id, live: lastUsed ?? configured, dropped: [] };
  if (known.configured === configured.id) return known;
  return { ...beginning(known, configured, nowMs, false), configured: configured.id };
};

export const ordered = (models: VectorModels, order: Omit<OrderedModel, 'problem'>): VectorModels => ({
  ...models,
  order,
});

/** The embedder has opened the ordered model, or has failed to. */
export const orderSettled = (
  { order, ...models }: VectorModels,
  outcome: VectorModel | { readonly problem: string },
  nowMs: number,
): VectorModels => {
  if (!order) return models;
  if ('problem' in outcome) return { ...models, order: { ...order, problem: outcome.problem } };
  return beginning(models, outcome, nowMs, order.hold);
};

const keptUntil = (nowMs: number): string => new Date(nowMs + PREVIOUS_VECTORS_KEPT_MS).toISOString();

/** Searches use the next vectors from now on; the ones before are kept for a while. */
export const flipped = (models: VectorModels, nowMs: number): VectorModels => {
  const { next, previous, live, dropped, ...others } = models;
  if (!next) return models;
  return {
    ...others,
    live: modelOf(next),
    previous: { ...live, keptUntil: keptUntil(nowMs), ...(next.parity && { parity: next.parity }) },
    dropped: previous ? [...dropped, previous.id] : dropped,
  };
};

/** Searches use the previous vectors again; the ones before are kept for a while in their place. */
export const rolledBack = (models: VectorModels, nowMs: number): VectorModels => {
  const { live, previous } = models;
  if (!previous) return models;
  return {
    ...models,
    live: modelOf(previous),
    previous: { ...live, keptUntil: keptUntil(nowMs) },
  };
};

/** The previous vectors are removed from now on. */
export const previousDropped = ({ previous, ...models }: VectorModels): VectorModels =>
  previous ? { ...models, dropped: [...models.dropped, previous.id] } : models;
