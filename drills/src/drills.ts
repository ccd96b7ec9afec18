import type { Drill } from './drill.js';
import { mixedVersionsDrill } from './mixed-versions.drill.js';
import { rollingRestartDrill } from './rolling-restart.drill.js';

export const DRILLS: readonly Drill[] = [rollingRestartDrill, mixedVersionsDrill];
