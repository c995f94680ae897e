// Owns the drawings of all marks and signs, once in the document; each use of one refers to it by name.

import type { JSX } from "preact";

const SOLID = { fill: "currentColor", stroke: "none", "fill-rule": "evenodd" } as const;

const DRAWINGS = {
  "o-passed": <><circle cx="8" cy="8" r="6.25" /><path d="m5.2 8.3 1.9 1.9 3.7-4.1" /></>,
  "o-scored": <><path d="M8 1.5 14.5 8 8 14.5 1.5 8Z" /><path d="M2 8h12l-6 6Z" {...SOLID} /></>,
  "o-failed": <path {...SOLID} d="M8 .9a7.1 7.1 0 1 1 0 14.2A7.1 7.1 0 0 1 8 .9ZM5.6 4.4 8 6.8l2.4-2.4 1.2 1.2L9.2 8l2.4 2.4-1.2 1.2L8 9.2l-2.4 2.4-1.2-1.2L6.8 8 4.4 5.6Z" />,
  "o-errored": <path {...SOLID} d="M8 1c.6 0 1.1.3 1.4.8l5.9 10.4c.6 1.1-.2 2.4-1.4 2.4H2.1C.9 14.6.1 13.3.7 12.2L6.6 1.8C6.9 1.3 7.4 1 8 1ZM7.2 5.4v4.4h1.6V5.4ZM8 10.9a1 1 0 1 0 0 2 1 1 0 0 0 0-2Z" />,
  "o-cancelled": <><circle cx="8" cy="8" r="6.25" /><path d="M3.7 12.3 12.3 3.7" /></>,
  "o-skipped": <><circle cx="8" cy="8" r="6.25" stroke-dasharray="2.2 2.07" /><path d="M5.5 8h5" /></>,
  "o-not_reached": <circle cx="8" cy="8" r="6.25" stroke-dasharray="2.2 2.07" />,
  "o-running": <><circle cx="8" cy="8" r="6.25" stroke-opacity=".25" stroke-width="1.75" /><path d="M8 1.75A6.25 6.25 0 0 1 14.25 8" /></>,
  "l-entailed": <><rect x="1.75" y="1.75" width="12.5" height="12.5" rx="3" /><path d="m5 8.3 2 2 4-4.3" /></>,
  "l-contradicted": <path {...SOLID} d="M4 1h8a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H4a3 3 0 0 1-3-3V4a3 3 0 0 1 3-3ZM5.6 4.4 8 6.8l2.4-2.4 1.2 1.2L9.2 8l2.4 2.4-1.2 1.2L8 9.2l-2.4 2.4-1.2-1.2L6.8 8 4.4 5.6Z" />,
  "l-not_addressed": <rect x="1.75" y="1.75" width="12.5" height="12.5" rx="3" stroke-dasharray="2.6 2.2" stroke-dashoffset="1" />,
  "l-indeterminate": <><rect x="1.75" y="1.75" width="12.5" height="12.5" rx="3" /><path d="M6.2 6.3a1.85 1.85 0 1 1 2.7 1.65c-.6.3-.9.65-.9 1.25" /><circle cx="8" cy="11.4" r=".95" {...SOLID} /></>,
  "c-yes": <path d="m3.5 8.5 3 3 6-7" />,
  "c-no": <path d="m4 4 8 8M12 4l-8 8" stroke-width="2" />,
  "v-regressed": <path {...SOLID} d="M8 13.5 1.8 3.5h12.4Z" stroke="currentColor" stroke-width="1.2" />,
  "v-improved": <path d="M8 2.8 14 12.5H2Z" />,
  "v-no-evidence": <path d="M2.5 6h11M2.5 10h11" />,
  "v-too-few": <><circle cx="3" cy="8" r="1.4" {...SOLID} /><circle cx="8" cy="8" r="1.4" {...SOLID} /><circle cx="13" cy="8" r="1.4" /></>,
  "search": <><circle cx="7" cy="7" r="4.5" /><path d="m10.5 10.5 3.25 3.25" /></>,
  "moon": <path d="M13.3 9.6A5.6 5.6 0 0 1 6.4 2.7a5.75 5.75 0 1 0 6.9 6.9Z" />,
  "sun": <><circle cx="8" cy="8" r="3" /><path d="M8 1.2v1.3M8 13.5v1.3M1.2 8h1.3M13.5 8h1.3M3.2 3.2l.9.9M11.9 11.9l.9.9M3.2 12.8l.9-.9M11.9 4.1l.9-.9" /></>,
  "help": <><circle cx="8" cy="8" r="6.25" /><path d="M6.3 6.4a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.9.6-.9 1.2" /><circle cx="8" cy="11.3" r=".85" {...SOLID} /></>,
  "copy": <><rect x="5.5" y="5.5" width="8" height="8" rx="1.75" /><path d="M10.5 5.5V4.25c0-.97-.78-1.75-1.75-1.75h-4.5c-.97 0-1.75.78-1.75 1.75v4.5c0 .97.78 1.75 1.75 1.75H5.5" /></>,
  "link": <path d="M6.7 9.3a2.6 2.6 0 0 0 3.7 0l2-2a2.62 2.62 0 0 0-3.7-3.7l-.6.6M9.3 6.7a2.6 2.6 0 0 0-3.7 0l-2 2a2.62 2.62 0 0 0 3.7 3.7l.6-.6" />,
  "chev": <path d="m6 3.5 4.5 4.5L6 12.5" />,
  "arrow": <path d="M2.5 8h11M9.5 4l4 4-4 4" />,
  "up": <path d="M8 13V3M4 7l4-4 4 4" />,
  "down": <path d="M8 3v10M4 9l4 4 4-4" />,
  "close": <path d="m4 4 8 8M12 4l-8 8" />,
  "hand": <path d="M5 3.5v9M11 3.5v9" stroke-width="2.25" />,
  "sub": <path d="M4 2v6.5A2.5 2.5 0 0 0 6.5 11H12M9.5 8.5 12 11l-2.5 2.5" />,
  "flag": <path d="M3.5 14V2.5M3.5 3h8.3l-2 3 2 3H3.5" />,
  "swap": <path d="M2.5 5.5h10M9.5 2.5l3 3-3 3M13.5 10.5h-10M6.5 7.5l-3 3 3 3" />,
  "folder": <path d="M1.75 4.25c0-.8.65-1.5 1.5-1.5H6l1.5 1.75h5.25c.85 0 1.5.65 1.5 1.5v6c0 .85-.65 1.5-1.5 1.5h-9.5c-.85 0-1.5-.65-1.5-1.5Z" />,
  "plug": <path d="M6 1.75v3M10 1.75v3M4 4.75h8v3a4 4 0 0 1-8 0ZM8 11.75v2.5" />,
  "clock": <><circle cx="8" cy="8" r="6.25" /><path d="M8 4.5V8l2.3 1.5" /></>,
  "note": <path d="M3 2.75h10v7.5L9.5 13.5H3Z M9.5 13.5v-3.25H13" />,
} satisfies Readonly<Record<string, JSX.Element>>;

export type Drawing = keyof typeof DRAWINGS;

export function Sprite(): JSX.Element {
  return (
    <svg width="0" height="0" class="vh" aria-hidden="true">
      <defs>
        {Object.entries(DRAWINGS).map(([name, drawing]) => (
          <symbol key={name} id={name} viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">
            {drawing}
          </symbol>
        ))}
      </defs>
    </svg>
  );
}
