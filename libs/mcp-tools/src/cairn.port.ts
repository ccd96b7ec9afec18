import type { CommandData, CommandResult, CommandType, QueryAnswer, QueryData, QueryType } from '@cairn/contracts';

/** A tool's view of Cairn: commands and queries, already bound to the calling principal. */
export interface CairnPort {
  command<T extends CommandType>(type: T, data: CommandData<T>): Promise<CommandResult<T>>;
  query<T extends QueryType>(type: T, data: QueryData<T>): Promise<QueryAnswer<T>>;
}
