/**
 * Drills: what Cairn promises for bad days, tried on real processes and too long for every test run. Run by
 * `npm run drill`. A drill is one file and a line in `drills.ts`; nothing imports this project.
 */
export type { Drill, DrillReport } from './drill.js';
export { DRILLS } from './drills.js';
