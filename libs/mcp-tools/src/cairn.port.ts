import type { CommandData, CommandResult, CommandType, QueryAnswer, QueryData, QueryType } from '@cairn/contracts';

/** Cairn as a tool sees it: commands and queries, already bound to the principal who calls. */
export interface CairnPort {
  command<T extends CommandType>(type: T, data: CommandData<T>): Promise<CommandResult<T>>;
  query<T extends QueryType>(type: T, data: QueryData<T>): Promise<QueryAnswer<T>>;
}
