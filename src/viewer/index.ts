// The door "entail/viewer": the page that shows what a store holds, served or as one file.

export { createViewer, type Viewer, type ViewerOptions } from "./viewer.ts";
export { serveViewer, type ServedViewer, type ServeViewerOptions } from "./serve-viewer.ts";
export { exportHtml, type ExportHtmlOptions, type HtmlRun } from "./export-html.ts";
export { FILE_BYTES } from "./file-cut.ts";
