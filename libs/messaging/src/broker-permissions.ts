import {
  BROKER_USERS,
  CHANNELS,
  inboxOf,
  STREAM_ACCESS,
  type BrokerUser,
  type Channel,
  type StreamAccess,
} from '@cairn/contracts';

/** Subjects in the form of nats-server: what is not allowed is refused. */
export interface BrokerPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** Exceptions from `subscribe`. */
  readonly denySubscribe: readonly string[];
}

const API = '$JS.API';

const writing = ({ subjects }: StreamAccess): string[] => [subjects];
const reading = ({ stream }: StreamAccess): string[] => [
  `${API}.STREAM.INFO.${stream}`,
  `${API}.STREAM.MSG.GET.${stream}`,
  `${API}.DIRECT.GET.${stream}`,
  `${API}.DIRECT.GET.${stream}.>`,
];
const following = ({ stream }: StreamAccess): string[] => [
  `${API}.CONSUMER.CREATE.${stream}.>`,
  `${API}.CONSUMER.DURABLE.CREATE.${stream}.*`,
  `${API}.CONSUMER.INFO.${stream}.*`,
  `${API}.CONSUMER.MSG.NEXT.${stream}.*`,
  `${API}.CONSUMER.DELETE.${stream}.*`,
  `$JS.ACK.${stream}.>`,
  // The form of a broker that is part of a domain.
  `$JS.ACK.*.*.${stream}.>`,
];
const erasing = ({ stream }: StreamAccess): string[] => [`${API}.STREAM.MSG.DELETE.${stream}`];
const keeping = ({ stream, isReplaceable = false }: StreamAccess): string[] => [
  `${API}.STREAM.CREATE.${stream}`,
  `${API}.STREAM.INFO.${stream}`,
  `${API}.STREAM.UPDATE.${stream}`,
  ...(isReplaceable ? [`${API}.STREAM.DELETE.${stream}`] : []),
];

/** Ingest starts first, creates what is missing and raises replicas; the others find the streams or wait. */
const KEEPER: BrokerUser = 'ingest';

const onStream = (user: BrokerUser, access: StreamAccess): string[] => [
  ...(access.writers.includes(user) ? writing(access) : []),
  ...(access.readers.includes(user) ? reading(access) : []),
  ...(access.followers.includes(user) ? following(access) : []),
  ...(access.erasers.includes(user) ? erasing(access) : []),
  ...(user === KEEPER ? keeping(access) : []),
];

const sending = (user: BrokerUser, { from, subjects }: Channel): readonly string[] =>
  from.includes(user) ? subjects : [];

/** Answers go to the inboxes of those who may ask, and nowhere else, whatever reply subject a request names. */
const answering = (user: BrokerUser, { to, from, isAnswered }: Channel): string[] =>
  isAnswered && to.includes(user) ? from.map((asker) => `${inboxOf(asker)}.>`) : [];

const unique = (subjects: readonly string[]): string[] => [...new Set(subjects)].sort();

export const permissionsOf = (user: BrokerUser): BrokerPermissions => {
  const streams = STREAM_ACCESS.flatMap((access) => onStream(user, access));
  const received = CHANNELS.filter(({ to }) => to.includes(user));
  return {
    publish: unique([
      ...CHANNELS.flatMap((channel) => [...sending(user, channel), ...answering(user, channel)]),
      ...streams,
      // The client asks for it before it uses a stream; it shows how much is stored, and nothing else.
      ...(streams.some((subject) => subject.startsWith(API)) ? [`${API}.INFO`] : []),
    ]),
    subscribe: unique([`${inboxOf(user)}.>`, ...received.flatMap(({ subjects }) => subjects)]),
    denySubscribe: unique(received.flatMap(({ except = [] }) => except)),
  };
};

/** The variable of nats-server's configuration that holds the permissions of a user. */
export const permissionsVariable = (user: BrokerUser): string => `CAIRN_${user.toUpperCase()}_PERMISSIONS`;

const list = (name: string, subjects: readonly string[]): string[] =>
  subjects.length === 0
    ? []
    : [`    ${name}: [`, ...subjects.map((subject) => `      ${JSON.stringify(subject)}`), '    ]'];

const permissionsBlock = (user: BrokerUser): string => {
  const { publish, subscribe, denySubscribe } = permissionsOf(user);
  return [
    `${permissionsVariable(user)} = {`,
    '  publish: {',
    ...list('allow', publish),
    '  }',
    '  subscribe: {',
    ...list('allow', subscribe),
    ...list('deny', denySubscribe),
    '  }',
    '}',
  ].join('\n');
};

/** A file for `include` in the configuration of nats-server: one variable per user. */
export const permissionsConf = (): string => BROKER_USERS.map(permissionsBlock).join('\n\n');
