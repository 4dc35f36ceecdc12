import { expect, test } from "vitest";
import { knowledgeUseText } from "#web/features/library/passages/knowledge-use-text.ts";

const document = (name: string, found: number) => ({ context_id: crypto.randomUUID(), name, found });

test("the line says what was looked into and what was found, nothing as well", () => {
  const documents = [document("Rules.pdf", 2), document("Prices.xlsx", 0)];
  expect(knowledgeUseText({ how: "passages", documents, unread: [] })).toEqual({
    summary: "Looked into Rules.pdf, Prices.xlsx: 2 passages",
    details: ["Rules.pdf: 2 passages", "Prices.xlsx: nothing found"],
  });
  expect(knowledgeUseText({ how: "passages", documents: [document("Rules.pdf", 0)], unread: [] }).summary).toBe(
    "Looked into Rules.pdf: nothing found",
  );
});

test("the line names three documents, and files that could not be read with their reason", () => {
  const documents = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"].map((name) => document(name, 1));
  const { summary, details } = knowledgeUseText({
    how: "whole",
    documents,
    unread: [{ name: "Scan.pdf", reason: "There is no text in this PDF." }],
  });
  expect(summary).toBe("Read a.txt, b.txt, c.txt and 2 more");
  expect(details.at(-1)).toBe("Scan.pdf: not read. There is no text in this PDF.");
});

test("the line says what finding the passages cost, where it cost anything", () => {
  const detailOf = (cost: number) => knowledgeUseText({ how: "passages", documents: [], unread: [], cost }).details;
  expect([detailOf(0.00004), detailOf(0.0012)]).toEqual([
    ["Finding the passages cost less than $0.0001"],
    ["Finding the passages cost $0.0012"],
  ]);
});
