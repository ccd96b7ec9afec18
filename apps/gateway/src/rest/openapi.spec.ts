import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openApiDocument } from './openapi.js';

/** The faults of a document according to the schema that the OpenAPI Initiative publishes for its version. */
const errorsOf = async (document: object) => {
  const validator = new Validator();
  // The validator resolves references in place and takes plain JSON only.
  const { errors = [] } = await validator.validate(JSON.parse(JSON.stringify(document)));
  return { version: validator.version, errors };
};

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(await errorsOf(openApiDocument())).toEqual({ version: '3.1', errors: [] });
  });

  it('is rejected by the same check when a parameter has an unknown location', async () => {
    const document = openApiDocument();
    const parameters = document.paths!['/api/v1/items']!.get!.parameters!;
    const spoiled = { ...document, paths: { '/a': { get: { parameters: [{ ...parameters[0], in: 'nowhere' }] } } } };
    expect((await errorsOf(spoiled)).errors).not.toEqual([]);
  });
});
