import { IMPORT_SOURCES, type Import } from "#shared/imports/import.ts";
import { importSentence } from "#shared/imports/report.ts";

/** How an import stands, in a sentence for its row of the settings; null where there was none. */
export function importStatusText(newest: Import | null): string | null {
  if (newest === null) return null;
  const { state, source, items, done } = newest;
  const whose = source === null ? "Your file" : `Your export of ${IMPORT_SOURCES[source]}`;
  switch (state) {
    case "uploading":
      return "A file is on its way.";
    case "ready":
      return `${whose} is ready to be imported.`;
    case "reading":
      return `${whose} is looked through.`;
    case "importing":
      return items === null ? "Importing." : `Importing: ${done.toLocaleString("en")} of ${items.toLocaleString("en")}.`;
    case "done":
      return `Last import: ${importSentence(newest.counts)}`;
    case "failed":
      return `The last import failed. ${newest.error ?? ""}`.trim();
    case "cancelled":
      return `The last import was cancelled. ${importSentence(newest.counts)}`;
  }
}
