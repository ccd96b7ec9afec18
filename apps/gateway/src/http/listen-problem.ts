import { ConfigError } from '@cairn/kernel';

const FIRST_FREE_PORT = 1024;
const OTHER_PORT = 'Set CAIRN_PORT to another port (0 picks a free one).';
const OTHER_HOST = 'Set CAIRN_HOST to an address of this machine, such as 127.0.0.1 or 0.0.0.0.';

type Advice = readonly [reason: string, nextStep: string];

const adviceOn = (code: string, host: string, port: number): Advice | undefined => {
  switch (code) {
    case 'EADDRINUSE':
      return ['another process listens on that port', OTHER_PORT];
    case 'EACCES':
      return port > 0 && port < FIRST_FREE_PORT
        ? [`ports below ${FIRST_FREE_PORT} need extra rights`, `Set CAIRN_PORT to ${FIRST_FREE_PORT} or higher.`]
        : ['this user may not listen there', OTHER_PORT];
    case 'EADDRNOTAVAIL':
      return [`this machine does not have the address ${host}`, OTHER_HOST];
    case 'ENOTFOUND':
      return [`the name ${host} does not resolve to an address`, OTHER_HOST];
    case 'EAI_AGAIN':
      return [`the name ${host} cannot be resolved now: the name server does not answer`, OTHER_HOST];
    case 'EINVAL':
      return [
        `${host} is not an address to listen on`,
        `${OTHER_HOST} A link-local one needs its interface (fe80::1%eth0).`,
      ];
    case 'EAFNOSUPPORT':
      return ['this machine does not support addresses of that family', OTHER_HOST];
    default:
      return undefined;
  }
};

/** Reports which of the two variables is wrong and what to set it to. Any other error is returned unchanged. */
export const listenProblem = (host: string, port: number, thrown: unknown): unknown => {
  const advice = adviceOn((thrown as NodeJS.ErrnoException).code ?? '', host, port);
  if (!advice) return thrown;
  const [reason, nextStep] = advice;
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return new ConfigError(`Cairn cannot listen on ${address}: ${reason}. ${nextStep}`, { cause: thrown });
};
