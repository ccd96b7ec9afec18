import { Extensions1763251200000 } from './1763251200000-extensions.js';

export const migrations = [Extensions1763251200000];
