// Owns the start of an exported file: the same page, with the report that the file carries.

import { fileSource } from "./file-source.ts";
import { addressOf } from "./route.ts";
import { start } from "./start.tsx";

const source = fileSource();
const [only, ...others] = source.runs;
// A file of one run begins with it.
if (location.hash === "" && only !== undefined && others.length === 0) history.replaceState(null, "", addressOf(["run", only]));
start(source);
