import { entityOf, type TableRow } from '@cairn/persistence';
import { libraryTables } from './library.schema.js';

const { workspaces, folders, tokens } = libraryTables;

/** The tables of the live library that listings read through TypeORM. */
export const Workspaces = entityOf('library', 'workspaces', workspaces);
export const Folders = entityOf('library', 'folders', folders);
export const Tokens = entityOf('library', 'tokens', tokens);
export const LIBRARY_ENTITIES = [Workspaces, Folders, Tokens];

export type WorkspaceRow = TableRow<typeof workspaces>;
export type FolderRow = TableRow<typeof folders>;
export type TokenRow = TableRow<typeof tokens>;
