import type { VectorModel } from '@cairn/contracts';
import { parseVectorsId, type EmbeddingModel, type Recipe } from '@cairn/embedding';

/** A model and the recipe by which it makes vectors. */
export interface VectorMaker {
  /** Of the vectors: names the model and the recipe. */
  readonly id: string;
  readonly model: EmbeddingModel;
  readonly recipe: Recipe;
}

/** Why a model cannot make these vectors. */
export interface Unsuited {
  readonly problem: string;
}

/**
 * An endpoint may serve another model under the same name. Vectors of another length cannot be compared with the stored
 * ones, so such a model would find nothing and its vectors would not be found.
 */
export const makerFor = ({ id, dims }: VectorModel, model: EmbeddingModel): VectorMaker | Unsuited => {
  const parsed = parseVectorsId(id);
  if (parsed?.modelId !== model.id) return { problem: `The model ${model.id} does not make the vectors ${id}.` };
  if (dims === undefined || dims === model.dimensions) return { id, model, recipe: parsed.recipe };
  const problem =
    `The model ${model.id} answers with ${model.dimensions} dimensions, but its stored vectors have ${dims}. ` +
    'Configure the model that made them, or give this one a name of its own, which embeds every text again; then ' +
    'restart the embedder.';
  return { problem };
};
