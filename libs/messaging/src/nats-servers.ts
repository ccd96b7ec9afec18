export interface NatsServers {
  /** Without user and password, so that it can be shown. */
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
}

const USER_INFO = /^(\w+:\/\/)?([^:@/]*)(?::([^@/]*))?@/;

/** The client does not read user and password from a URL, so they are split off here. All servers of a list share them. */
export const natsServers = (url: string): NatsServers => {
  const given = url.split(',').map((server) => server.trim());
  const servers = given.map((server) => server.replace(USER_INFO, '$1'));
  const found = given.map((server) => USER_INFO.exec(server)).find((match) => match !== null);
  if (!found) return { servers };
  return { servers, user: decodeURIComponent(found[2]!), pass: decodeURIComponent(found[3] ?? '') };
};
