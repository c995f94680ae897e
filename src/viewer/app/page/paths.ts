// Owns where the answers of a run and of a scenario are asked for.

import { stepOf } from "../../answer/step.ts";

export const runPath = (run: string): string => `runs/${stepOf(run)}`;

export const scenarioPath = (run: string, scenario: string): string => `${runPath(run)}/scenario/${stepOf(scenario)}`;
