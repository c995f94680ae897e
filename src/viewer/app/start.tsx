// Owns putting the page into the document, whatever its answers come from.

import { render } from "preact";
import "./style/token.css";
import "./style/base.css";
import "./style/frame.css";
import "./style/part.css";
import "./style/runs.css";
import "./style/run.css";
import "./style/scenario.css";
import "./style/compare.css";
import "./style/trends.css";
import "./style/judge.css";
import "./style/state.css";
import "./style/size.css";
import { setSource } from "./answers.ts";
import { Frame } from "./frame/frame.tsx";
import { listenForKeys } from "./keys.ts";
import type { Source } from "./source.ts";

export function start(source: Source): void {
  setSource(source);
  listenForKeys();
  const root = document.getElementById("app");
  if (root !== null) render(<Frame served={source.served} />, root);
}
