import { standaloneEnv } from './config.js';

/** Read by other processes of Cairn, by clients and by tests, which may share an environment with this one. */
const READ_ELSEWHERE = [
  ...['CAIRN_OPS_HOST', 'CAIRN_OPS_PORT', 'CAIRN_TOKEN', 'CAIRN_URL', 'CAIRN_AGENT_TOKEN'],
  ...['CAIRN_PROFILE', 'CAIRN_E2E'],
];

/** Variables with our prefix that nothing reads: usually a typo, as in CAIRN_PROT. */
export const unknownVariables = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.keys(env).filter(
    (name) => name.startsWith('CAIRN_') && !(name in standaloneEnv.shape) && !READ_ELSEWHERE.includes(name),
  );
