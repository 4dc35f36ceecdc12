import { expect, it } from "vitest";
import { knowledgeAddress } from "#shared/knowledge-citations.ts";
import { passagesOf } from "#web/features/conversation/receipts/passages-of.ts";

const place = { entryId: "kitchen", documentId: "manual", start: 0, end: 40, page: 3 };

it("what an answer's model was given of knowledge is its passages by file and page, and no page of the web", () => {
  const citations = [
    { url: "https://rivers.example/bridges", title: "Bridges" },
    { url: knowledgeAddress(place), title: "Manual.pdf, page 3" },
  ];
  expect(passagesOf({ citations })).toEqual({ passages: [{ place, title: "Manual.pdf, page 3" }], wholes: [] });
});

it("what an answer's model was given of knowledge is a document by its name where it went along whole", () => {
  const knowledge = { how: "whole" as const, documents: [{ context_id: "kitchen", name: "Manual.pdf", found: 2 }], unread: [] };
  const citations = [{ url: knowledgeAddress(place), title: "Manual.pdf, page 3" }];
  expect(passagesOf({ citations, knowledge })).toEqual({ passages: [], wholes: [{ entryId: "kitchen", name: "Manual.pdf" }] });
});
