// Owns a trial as it is stored, as JSON.

import type { JSX } from "preact";
import type { TextAnswer } from "../../answer/form.ts";
import { useAnswer } from "../answers.ts";
import { Json } from "../part/json.tsx";
import { Pieces } from "../part/long-text.tsx";
import { Icon } from "../part/mark.tsx";
import { Loading } from "../part/small.tsx";
import { copy } from "../say.ts";

export function RawView({ path, trial }: { readonly path: string; readonly trial: number }): JSX.Element {
  const whole = `${path}/trials/${trial}/text?part=raw`;
  const { value } = useAnswer<TextAnswer>(whole, true);
  if (value === undefined) return <Loading rows={8} />;
  const isWhole = value.text.length === value.of;
  return (
    <div class="sheet pad raw">
      <div class="bar-row raw-h"><span class="quiet">Trial {trial} as it is stored</span><span class="push" />{isWhole ? <button class="btn" type="button" onClick={() => void copy(value.text)}><Icon name="copy" />Copy</button> : null}</div>
      {isWhole ? <Json text={value.text} open={2} /> : <Pieces words={{ text: value.text, of: value.of, path: whole }} />}
    </div>
  );
}
