import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '@cairn/kernel';
import { correctionConfig, correctionEnv } from './correction-env.js';

const configOf = (env: Record<string, string>) => correctionConfig(loadConfig(correctionEnv, env));

describe('the configuration of corrections', () => {
  it('uses rules when no model is named', () => {
    expect(configOf({})).toEqual({ provider: 'rules' });
  });

  it('[N-44] uses the default model of Ollama on this machine', () => {
    expect(configOf({ CORRECTION_PROVIDER: 'ollama' })).toEqual({
      provider: 'ollama',
      url: 'http://127.0.0.1:11434',
      model: 'llama3.2:3b-instruct-q4_K_M',
    });
  });

  it('accepts an OpenAI-compatible endpoint with its key', () => {
    const env = { CORRECTION_URL: 'https://models.example/v1', CORRECTION_MODEL: 'm', CORRECTION_API_KEY: 'k' };
    expect(configOf({ CORRECTION_PROVIDER: 'openai', ...env })).toEqual({
      provider: 'openai',
      url: 'https://models.example/v1',
      model: 'm',
      apiKey: 'k',
    });
  });

  it.each([
    [{ CORRECTION_PROVIDER: 'claude' }, 'CORRECTION_PROVIDER: must be rules, ollama or openai'],
    [{ CORRECTION_PROVIDER: 'ollama', CORRECTION_URL: 'ollama' }, 'CORRECTION_URL: must be an http or https URL'],
    [{ CORRECTION_URL: 'file:///etc/passwd' }, 'CORRECTION_URL: must be an http or https URL'],
    [{ CORRECTION_MODEL: 'x'.repeat(201) }, 'CORRECTION_MODEL: '],
    [{ CORRECTION_PROVIDER: 'openai' }, 'CORRECTION_URL: is required when CORRECTION_PROVIDER is openai'],
  ])('refuses to start with %j and names the variable', (env, message) => {
    expect(() => configOf(env as Record<string, string>)).toThrow(message);
  });
});
