import { describe, expect, it } from '@jest/globals';
import { newServerOf, SERVER_DRAFT } from './new-server.js';

const DRAFT = { ...SERVER_DRAFT, name: ' files ', url: ' https://tools.example/mcp ' };

describe('the form for a server', () => {
  it('sends no credential unless one was chosen', () => {
    expect(newServerOf({ ...DRAFT, secret: 'typed before none was chosen' })).toEqual({
      name: 'files',
      url: 'https://tools.example/mcp',
      transport: 'auto',
      approval: 'first-use',
    });
  });

  it('sends a bearer token without the name of a header', () => {
    expect(newServerOf({ ...DRAFT, credential: 'bearer', headerName: 'X-Key', secret: ' s ' }).credential).toEqual({
      kind: 'bearer',
      value: 's',
    });
  });

  it('sends the value of a header with its name', () => {
    expect(newServerOf({ ...DRAFT, credential: 'header', headerName: ' X-Key ', secret: 's' }).credential).toEqual({
      kind: 'header',
      name: 'X-Key',
      value: 's',
    });
  });
});
