import { afterAll, beforeAll, expect, test } from "vitest";
import { blocksOf, inlinesOf } from "./whatsapp/phone-page/browser/format.ts";
import { startWhatsapp, type WhatsappSimulator } from "./whatsapp/server.ts";

let app: WhatsappSimulator;

beforeAll(async () => {
  app = await startWhatsapp();
});
afterAll(() => app.close());

test("the phone's page loads nothing but its own files, which are plain scripts", async () => {
  const page = await fetch(`${app.url}/dev/phone`);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
  const html = await page.text();
  const wanted = [...html.matchAll(/(?:src|href)="(\/dev\/phone\/page\/[^"]+)"/g)].map(([, path]) => path ?? "");
  const seen = new Set<string>();
  while (wanted.length > 0) {
    const path = wanted.pop() ?? "";
    if (seen.has(path)) continue;
    seen.add(path);
    const file = await fetch(new URL(path, app.url));
    expect([path, file.status]).toEqual([path, 200]);
    const source = await file.text();
    expect(source).not.toMatch(/: (?:string|HTMLElement)[,;)]/);
    for (const [, name] of source.matchAll(/ from "\.\/([^"]+)"/g)) wanted.push(`/dev/phone/page/${name}`);
  }
  expect(seen.size).toBeGreaterThan(5);
});

test.each([
  ["plain", [{ kind: "text", text: "plain" }]],
  [
    "*bold* and _it_",
    [
      { kind: "bold", inlines: [{ kind: "text", text: "bold" }] },
      { kind: "text", text: " and " },
      { kind: "italic", inlines: [{ kind: "text", text: "it" }] },
    ],
  ],
  [
    "~gone~ `*code*`",
    [
      { kind: "strike", inlines: [{ kind: "text", text: "gone" }] },
      { kind: "text", text: " " },
      { kind: "code", text: "*code*" },
    ],
  ],
  ["2*3*4 and snake_case_name", [{ kind: "text", text: "2*3*4 and snake_case_name" }]],
  ["* not bold *", [{ kind: "text", text: "* not bold *" }]],
  [
    "see https://a.example/b_c_d.",
    [
      { kind: "text", text: "see " },
      { kind: "link", text: "https://a.example/b_c_d" },
      { kind: "text", text: "." },
    ],
  ],
  ["*_both_*", [{ kind: "bold", inlines: [{ kind: "italic", inlines: [{ kind: "text", text: "both" }] }] }]],
])("the app's marks in %j", (line, pieces) => {
  expect(inlinesOf(line)).toEqual(pieces);
});

test("lines, lists, quotes and code stand in blocks", () => {
  expect(blocksOf("Hi\n> said\n- one\n2. two\n```\n*raw*\nmore\n```\nend").map(({ kind }) => kind)).toEqual([
    "paragraph",
    "quote",
    "item",
    "item",
    "code",
    "paragraph",
  ]);
  expect(blocksOf("```a *b*```")).toEqual([{ kind: "code", text: "a *b*" }]);
  expect(blocksOf("open ``` and not closed")).toEqual([
    { kind: "paragraph", inlines: [{ kind: "text", text: "open " }] },
    { kind: "paragraph", inlines: [{ kind: "text", text: "``` and not closed" }] },
  ]);
});
