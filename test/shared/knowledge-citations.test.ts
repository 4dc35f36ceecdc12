import { expect, test } from "vitest";
import { gmailAddress, knowledgeAddress, readKnowledgeAddress, withoutNames, withoutPrivate } from "#shared/knowledge-citations.ts";
import { listedSources } from "#shared/markdown/listed-sources.ts";

const PLACE = { entryId: "a-1", documentId: "b-2", start: 40, end: 90, page: 3 };

test("a passage's address leads back to its place, and no other address does", () => {
  expect(readKnowledgeAddress(knowledgeAddress(PLACE))).toEqual(PLACE);
  expect(readKnowledgeAddress(knowledgeAddress({ ...PLACE, page: null }))).toEqual({ ...PLACE, page: null });
  for (const url of ["https://example.org/knowledge:a/b?at=1-2", "knowledge:a/../b?at=1-2", "javascript:alert(1)", "knowledge:a/b"])
    expect(readKnowledgeAddress(url)).toBeNull();
});

test("passages are listed where the text refers to them, and nothing of them is shown outside", () => {
  const citations = [
    { url: knowledgeAddress(PLACE), title: "Rules.pdf, page 3" },
    { url: knowledgeAddress({ ...PLACE, start: 0 }), title: "Rules.pdf, page 1" },
    { url: "https://example.org/", title: "Example" },
  ];
  expect(listedSources("It is so [1] and so [3].", citations).map(({ number, host }) => [number, host])).toEqual([
    [1, "Rules.pdf, page 3"],
    [3, "example.org"],
  ]);
  expect(listedSources("It is so.", citations).map(({ number }) => number)).toEqual([3]);
  expect(withoutPrivate(citations).map(({ url, title }) => url + title)).toEqual(["null", "null", "https://example.org/Example"]);
});

test("a conversation in Gmail is shown to nobody but its person, and keeps its number", () => {
  const citations = [
    { url: gmailAddress("18c0ffee"), title: "Berlin in December" },
    { url: "HTTPS://MAIL.GOOGLE.COM/mail/u/1/#inbox/1", title: "Invoice" },
    { url: "https://mail.google.com.example.org/", title: "Example" },
    { url: knowledgeAddress(PLACE), title: "Rules.pdf, page 3" },
  ];
  const hidden = { url: "", title: null };
  expect(withoutPrivate(citations)).toEqual([hidden, hidden, citations[2], hidden]);
  expect(withoutNames(citations)).toEqual([hidden, hidden, citations[2], { url: knowledgeAddress(PLACE), title: null }]);
});
