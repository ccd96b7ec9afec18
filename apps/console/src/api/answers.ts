import type { Operations, ToolAnswers } from './gateway-api.js';

/** Short names for the parts of the gateway's API that several pages use. */
export type Operation = keyof Operations;
export type AnswerTo<O extends Operation> = Operations[O]['answer'];
export type BodyOf<O extends Operation> = Operations[O]['body'];

/** The value, where it is one of the list; a text from an address or a form may be anything. */
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
/** What the token that is signed in may do. */
export type Rights = AnswerTo<'GET /whoami'>;

export type ItemChange = BodyOf<'PATCH /items/{id}'>;

export type Op = AnswerTo<'GET /ops/{id}'>;
export type Confirmation = AnswerTo<'GET /confirmations'>['items'][number];
export type Candidate = Confirmation['candidates'][number];
export type Decision = BodyOf<'POST /confirmations/{id}'>;

/** As the events report it, too: they leave out version and stream. */
export type ProjectionLag = Omit<AnswerTo<'GET /projections'>['items'][number], 'version' | 'stream'>;

export type SearchAnswer = ToolAnswers['search_knowledge_base'];
export type SearchMode = SearchAnswer['mode'];
export type Hit = SearchAnswer['hits'][number];
export type Leg = NonNullable<Hit['explain']>['legs'][number];
