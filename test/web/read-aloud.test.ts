import { expect, test } from "vitest";
import { guessLanguage, toSpeechChunks } from "#web/features/conversation/read-aloud/speakable.ts";

test("code, marks and markup are not read, and the rest comes in sentences", () => {
  const markdown = "# Title\n\nSee **this** [1] and [the page](https://example.org).\n\n```js\nalert(1)\n```\n\n---\n\nThe end.";
  expect(toSpeechChunks(markdown)).toEqual(["Title", "See this and the page.", "The end."]);
  expect(toSpeechChunks("```\nnever closed")).toEqual([]);
});

test("a long paragraph is read in chunks that lose nothing", () => {
  const sentence = "This sentence has exactly so many words as it needs. ";
  const chunks = toSpeechChunks(sentence.repeat(20));
  expect(chunks.length).toBeGreaterThan(3);
  expect(chunks.join(" ")).toBe(sentence.repeat(20).trim());
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(200);
});

test("the language is recognised by its script or its short words", () => {
  expect(guessLanguage("The lease is cheaper, and that is that.", "fr")).toBe("en");
  expect(guessLanguage("Der Vertrag ist nicht mit Kosten verbunden.", "en")).toBe("de");
  expect(guessLanguage("Le contrat est dans les archives et des dossiers.", "en")).toBe("fr");
  expect(guessLanguage("これは漢字です。", "en")).toBe("ja");
  expect(guessLanguage("Это договор.", "en")).toBe("ru");
  expect(guessLanguage("42", "nl")).toBe("nl");
});
