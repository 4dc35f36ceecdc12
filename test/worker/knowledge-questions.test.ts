import { expect, it } from "vitest";
import { isAboutEntireText } from "#worker/library/passages/about-entire-text.ts";

it.each([
  "Summarize this.",
  "Please summarise the attached report in five points",
  "Give me a short summary of the documents",
  "Can you give me an overview?",
  "TL;DR",
  "What are the key findings?",
  "What is this about?",
  "What’s in the file?",
  "Describe this document.",
  "Summarize the contract and list its risks.",
  "Here is our manual. Summarize it, please.",
  "Fasse das Dokument bitte kurz zusammen",
  "Worum geht es hier?",
  "Résume ce document",
  "De quoi parle le rapport ?",
  "¿De qué trata este documento?",
])("%s is about the whole", (text) => {
  expect(isAboutEntireText(text)).toBe(true);
});

it.each([
  "Describe the termination clause",
  "What is in the budget for marketing?",
  "What does the executive summary say about churn?",
  "When did production resume?",
  "What are the key points of the termination clause?",
  "Summarize the termination clause",
  "Fasse die Kündigungsklausel zusammen",
  "Who wrote the summary for the board?",
])("%s is about something in it", (text) => {
  expect(isAboutEntireText(text)).toBe(false);
});
