/** Test support of @cairn/embedding: for specs of this and other projects, never compiled. */
export { HashingEmbeddingModel } from './embedding-model.fake.js';
