import { parseVectorsId, type EmbeddingModel, type Recipe } from '@cairn/embedding';

/** A model and the recipe by which it makes vectors. */
export interface VectorMaker {
  /** Of the vectors: names the model and the recipe. */
  readonly id: string;
  readonly model: EmbeddingModel;
  readonly recipe: Recipe;
}

/** Undefined if this model does not make the vectors of that id. */
export const makerFor = (id: string, model: EmbeddingModel): VectorMaker | undefined => {
  const parsed = parseVectorsId(id);
  return parsed?.modelId === model.id ? { id, model, recipe: parsed.recipe } : undefined;
};
