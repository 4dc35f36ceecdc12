import { expect, test } from "vitest";
import { mailBody } from "#worker/mail/outbound/body/mail-body.ts";
import { cleanSubject, replySubject } from "#worker/platform/letters/subject.ts";
import { messageIdsIn, threadHeaders } from "#worker/mail/outbound/thread-headers.ts";

const HOSTILE = [
  "<script>alert(1)</script>",
  "<img src=https://evil.example/pixel.png>",
  "![x](https://evil.example/pixel.png)",
  "![x][1]\n\n[1]: https://evil.example/pixel.png",
  "[x](javascript:alert(1))",
  "[x](data:text/html,<script>alert(1)</script>)",
  '<https://evil.example/"onmouseover=alert(1)>',
  '[x](https://evil.example/"onmouseover="alert(1))',
  '"><iframe srcdoc="<script>alert(1)</script>">',
  "`</code><script>alert(1)</script>`",
  "```\n</pre><script>alert(1)</script>\n```",
  "$$\n</pre><script>alert(1)</script>\n$$",
  "| <style>*{}</style> | b |\n|---|---|\n| <link rel=stylesheet href=//evil.example> | y |",
  "<base href=https://evil.example>",
  "[^1]\n\n[^1]: <form action=https://evil.example>",
];

/** What a letter may be made of: no element that loads, runs or sends anything, and no address but a link's. */
const ALLOWED_TAG =
  /^(?:html|head|meta|body|p|em|strong|del|br|hr|code|pre|blockquote|ul|ol|li|sup|div|table|tr|th|td|h[1-3]|a)(?: (?:style|start|dir|type|charset|name|content)="[^"<>]*"| href="(?:https?:\/\/|mailto:|tel:)[^"<>]*")*$/;

function tagsOf(html: string): string[] {
  return [...html.matchAll(/<([a-z][^>]*)>/g)].map(([, tag = ""]) => tag);
}

test.each(HOSTILE)("a letter: %s loads and runs nothing, whoever wrote it", (text) => {
  const { html } = mailBody({
    markdown: text,
    signature: text,
    citations: [{ url: "javascript:alert(1)", title: text }],
    original: { from: `${text} <a@b.example>`, at: "2026-11-22T17:00:00Z", text },
  });
  expect(tagsOf(html).filter((tag) => !ALLOWED_TAG.test(tag))).toEqual([]);
  expect(html).not.toMatch(/url\(|@import|expression\(/);
});

test("a letter is as readable without its markup", () => {
  const { text } = mailBody({
    markdown: [
      "# Hotels",
      "Dear **Ada**, see [the list](https://a.example/list) and https://b.example.",
      "1. first\n2. second\n   - inner",
      "> quoted",
      "```js\nconst a = 1;\n```",
      "| Name | Price |\n|---|---|\n| Astoria | 140 |\n| Bo | 9 |",
      "Energy is $E = mc^2$ [1].",
      "- [x] done",
    ].join("\n\n"),
    citations: [{ url: "https://c.example", title: "A source" }],
  });
  expect(text).toBe(
    [
      "Hotels\n======",
      "Dear *Ada*, see the list <https://a.example/list> and https://b.example.",
      "1. first\n2. second\n   - inner",
      "> quoted",
      "    const a = 1;",
      "Name     Price\n-------  -----\nAstoria    140\nBo           9",
      "Energy is E = mc^2 [1].",
      "- [x] done",
      "Sources:\n[1] A source <https://c.example>",
      "",
    ]
      .join("\n\n")
      .replace(/\n\n$/, "\n"),
  );
});

test("a table too wide for a line becomes a list in plain text", () => {
  const { text } = mailBody({ markdown: `| Name | Words |\n|---|---|\n| Ada | ${"long ".repeat(20)} |\n| Bo | short |` });
  expect(text).toBe(`Name: Ada\nWords: ${"long ".repeat(20).trim()}\n\nName: Bo\nWords: short\n`);
});

test("a letter is made for light and dark: it sets no colour but a grey line's", () => {
  const { html } = mailBody({ markdown: "# a\n\n`code`\n\n```\nblock\n```\n\n> q\n\n| a |\n|---|\n| b |" });
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect([...html.matchAll(/#[0-9a-f]{3,8}\b/gi)].every(([colour]) => colour === "#999999")).toBe(true);
  expect(html).not.toMatch(/background|(?<!-)color:/);
});

test("a letter quotes the mail that it answers below", () => {
  const original = { from: "Ada <ada@example.com>", at: "2026-11-22T17:05:00Z", text: "Hello\n> earlier\n\n<b>bye</b>\r\n" };
  const { text, html } = mailBody({ markdown: "Yes.", signature: "Sent by Polylogue for Lena", original });
  expect(text).toBe(
    [
      "Yes.",
      "-- \nSent by Polylogue for Lena",
      "On 2026-11-22 at 17:05 UTC, Ada <ada@example.com> wrote:",
      "> Hello\n>> earlier\n>\n> <b>bye</b>\n",
    ].join("\n\n"),
  );
  expect(html).toContain('<blockquote type="cite"');
  expect(html).toContain("&lt;b&gt;bye&lt;/b&gt;");
});

test("a letter holds no control characters and no half characters", () => {
  const { text, html } = mailBody({ markdown: "a\u0000b\u0007c\ud800d\r\ne" });
  expect(text).toBe("abc\ufffdd\ne\n");
  expect(html.isWellFormed()).toBe(true);
});

test("an answer names what it answers and what came before", () => {
  expect(threadHeaders({ messageId: "c@x", references: ["a@x", "b@x", "c@x"] })).toEqual({
    "In-Reply-To": "<c@x>",
    References: "<a@x> <b@x> <c@x>",
  });
  expect(threadHeaders({ messageId: null, references: ["a@x"] })).toEqual({});
});

test("of a long thread the first mail and the newest are named, in 2,048 bytes", () => {
  const references = Array.from({ length: 100 }, (_, index) => `${index}-${"é".repeat(40)}@example.com`);
  const { References = "" } = threadHeaders({ messageId: "last@example.com", references });
  const ids = messageIdsIn(References);
  expect(ids[0]).toBe(references[0]);
  expect(ids.at(-1)).toBe("last@example.com");
  expect(ids.at(-2)).toBe(references.at(-1));
  expect(ids.length).toBeLessThanOrEqual(21);
  expect(new TextEncoder().encode(References).length).toBeLessThanOrEqual(2_048);
  const short = threadHeaders({ messageId: "z@x", references: Array.from({ length: 50 }, (_, index) => `${index}@x`) });
  expect(messageIdsIn(short["References"] ?? "")).toHaveLength(21);
});

test.each(["x\r\nBcc: all@example.com", `${"x".repeat(3_000)}@x`, "no address", "a@b c@d"])(
  "%j is no id of a mail that a header may name",
  (id) => {
    expect(threadHeaders({ messageId: id, references: [] })).toEqual({});
    expect(threadHeaders({ messageId: "a@x", references: [id] })["References"]).toBe("<a@x>");
  },
);

test.each([
  ["March invoice", "Re: March invoice"],
  ["Re: March invoice", "Re: March invoice"],
  ["RE: Aw: re[2]: March invoice", "Re: March invoice"],
  ["回复：发票", "Re: 发票"],
  ["Regarding the invoice", "Re: Regarding the invoice"],
  ["", "Re: your mail"],
  ["a\r\nBcc: x@y", "Re: a Bcc: x@y"],
])("the subject %j is answered as %j", (subject, answer) => {
  expect(replySubject(subject)).toBe(answer);
});

test("a subject is one line of at most 200 characters", () => {
  expect(cleanSubject(`a\u2028b\u0000${"c".repeat(300)}`)).toHaveLength(200);
});
