import { finishWithin, growWithin, parseDocument, parseWithin, REQUEST_UNITS } from "#shared/markdown/bounded-document.ts";
import { emptyDocument } from "#shared/markdown/incremental.ts";
import { toPlainText } from "#shared/markdown/plain-text.ts";
import { WorkMeter } from "#shared/markdown/work-meter.ts";
import { growing } from "#test/shared/markdown-documents.ts";
import { toSpeechChunks } from "#web/features/conversation/read-aloud/speakable.ts";
import { shownLength } from "#web/features/library/markdown/growing/unfinished-markup.ts";
import { previewOf } from "#web/features/library/artifact-preview/preview-document.ts";
import { mailBody } from "#worker/mail/outbound/body/mail-body.ts";
import { toAppText } from "#worker/integrations/messaging/format.ts";
import { htmlOf } from "./public-page-tags.ts";

function* always(size: number) {
  for (;;) yield size;
}

/** Everything that reads a text's markup, by what a person would call it. */
export const doors = {
  server: (text: string) => parseWithin(text, new WorkMeter(REQUEST_UNITS)),
  browser: (text: string) => parseDocument(text),
  stream: (text: string) => {
    let document = emptyDocument;
    for (const beginning of growing(text, always(Math.max(100, text.length >> 3)))) document = growWithin(document, beginning);
    return finishWithin(document, text);
  },
  "held back": (text: string) => shownLength(text),
  editor: (text: string) => previewOf(`${text.slice(0, text.length >> 1)}!${text.slice(text.length >> 1)}`, previewOf(text)),
  "a line": (text: string) => toPlainText(text, 200),
  speech: (text: string) => toSpeechChunks(text),
  page: (text: string) => htmlOf(text),
  mail: (text: string) => mailBody({ markdown: text }),
  app: (text: string) => toAppText(text),
};

export type Door = keyof typeof doors;
