import type { Operations, ToolAnswers } from './gateway-api.js';

/** Short names for the parts of the gateway's API that several pages use. */
export type Operation = keyof Operations;
export type AnswerTo<O extends Operation> = Operations[O]['answer'];
export type BodyOf<O extends Operation> = Operations[O]['body'];

/** Returns the value if it is in the list; text from an address or a form may be anything. */
export const choiceOf = <T extends string>(choices: readonly T[], text: string): T | undefined =>
  choices.find((choice) => choice === text);

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export type Folder = AnswerTo<'GET /folders/{id}'>;
export type Tier = Folder['tier'];

export type ItemDetail = AnswerTo<'GET /items/{id}'>;
export type Item = AnswerTo<'GET /items'>['items'][number];
export type ItemKind = Item['kind'];
export type Chunk = ItemDetail['chunks'][number];

export type Token = AnswerTo<'GET /tokens'>['items'][number];
export type NewToken = BodyOf<'POST /tokens'>;
export type Scope = NewToken['scopes'][number];
/** The rights of the token that is signed in. */
export type Rights = AnswerTo<'GET /whoami'>;

export type ItemChange = BodyOf<'PATCH /items/{id}'>;

export type Op = AnswerTo<'GET /ops/{id}'>;
export type Confirmation = AnswerTo<'GET /confirmations'>['items'][number];
export type Candidate = Confirmation['candidates'][number];
export type Decision = BodyOf<'POST /confirmations/{id}'>;

/** The shape that the events report as well: they leave out version and stream. */
export type ProjectionLag = Omit<AnswerTo<'GET /projections'>['items'][number], 'version' | 'stream'>;

export type SearchAnswer = ToolAnswers['search_knowledge_base'];
export type SearchMode = SearchAnswer['mode'];
export type Hit = SearchAnswer['hits'][number];
export type Leg = NonNullable<Hit['explain']>['legs'][number];

export type ItemLink = AnswerTo<'GET /items/{id}/links'>['items'][number];

export type Entity = AnswerTo<'GET /entities'>['items'][number];
export type EntityDetail = AnswerTo<'GET /entities/{id}'>;
export type EntityType = Entity['type'];
export type Walk = AnswerTo<'GET /graph'>;
export type WalkedNode = Walk['nodes'][number];
export type WalkedEdge = Walk['edges'][number];
export type ReviewEntry = AnswerTo<'GET /review'>['items'][number];
export type ReviewKind = ReviewEntry['kind'];
export type Verdict = BodyOf<'POST /edges/{id}/review'>['verdict'];

export type Server = AnswerTo<'GET /mcp-servers'>['items'][number];
export type ServerTool = AnswerTo<'GET /mcp-servers/{id}/tools'>['items'][number];
export type NewServer = BodyOf<'POST /mcp-servers'>;

export type Connector = AnswerTo<'GET /connectors'>['items'][number];
export type Account = AnswerTo<'GET /accounts'>['items'][number];
export type NewAccount = BodyOf<'POST /accounts'>;
export type Retention = Account['retention'];
