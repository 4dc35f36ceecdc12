import { expect, test } from "vitest";
import { mailBody } from "#worker/mail/outbound/body/mail-body.ts";
import { hostileMarkdown } from "#test/shared/hostile-markdown.ts";
import { sampleOf } from "#test/support/cases.ts";

const texts: Record<string, string> = {
  ...hostileMarkdown,
  "one address called often": `${"[a] ".repeat(20_000)}\n\n[a]: https://a.example/${"x".repeat(2_000)}`,
  "deep lazy quotes": `${">".repeat(150)} ${"a\n".repeat(40_000)}`,
  "many cells": `|a|b|\n|-|-|\n${"|a|b|\n".repeat(16_000)}`,
  "more than a mail holds": "word ".repeat(400_000),
};

test.each(sampleOf(texts, ["quotes in quotes", "one address called often", "many cells", "more than a mail holds"]))(
  "a letter: %s becomes no larger than a mail may be",
  (_name, markdown) => {
    const { text, html } = mailBody({ markdown, original: { from: "a@b.example", at: "2026-11-22T17:00:00Z", text: markdown } });
    expect(text.length + html.length).toBeLessThan(4_000_000);
  },
);
