// Owns the start of the served page.

import { start } from "./start.tsx";
import { serverSource } from "./source.ts";

start(serverSource());
