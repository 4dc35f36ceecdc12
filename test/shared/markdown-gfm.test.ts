import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { gfmNodes } from "#shared/markdown/gfm-nodes.ts";
import { markdownWithDefinitions } from "./markdown-documents.ts";

const extensions = [gfm()];
const theirs = (text: string) => fromMarkdown(text, { extensions, mdastExtensions: [gfmFromMarkdown()] });
const ours = (text: string) => fromMarkdown(text, { extensions, mdastExtensions: [gfmNodes] });

const before = [
  "",
  "a ",
  "(",
  "[",
  "[a ",
  "*",
  "**",
  "~",
  '"',
  "a",
  "/",
  "-",
  ":",
  "！",
  "中",
  "😀",
  "\\",
  "<",
  "1",
  "@",
  "x_",
  "|",
  "[x [a](b) ",
];
const domains = [
  "a.b",
  "example.com/x?y=1&z=2",
  "a.b/c_d_e",
  "a.b/(x)",
  "a.b/(x))",
  "localhost",
  "a_b.c",
  "b.c_d",
  ".a",
  "a.",
  "a..b",
  "é.com",
  "a.b/&amp;",
];
const addresses = [
  ...domains.flatMap((domain) => [`http://${domain}`, `www.${domain}`, `HTTPS://${domain}`]),
  ...["a@b.c", "a.b-c_d@b.c", "a@b-c.de_f", "a@b.c1", "a@b"].flatMap((mail) => [mail, `mailto:${mail}`]),
  "a@b.c http://x.y mailto:q@r.s",
];
const behind = ["", ".", ")", "]", "*", "_", " b", "](c)", "<", "&lt;", "\\", "|", "…", "))).", "!?\"';:>}", ") http://q.r"];

describe("nodes of GitHub's markdown are those of the package", () => {
  it("for any markdown", () => {
    fc.assert(
      fc.property(markdownWithDefinitions, (text) => {
        expect(ours(text)).toEqual(theirs(text));
      }),
      { numRuns: 400 },
    );
  });

  it.each(addresses)("for %s in any company", (address) => {
    for (const head of before) for (const tail of behind) expect(ours(head + address + tail)).toEqual(theirs(head + address + tail));
  });

  it.each([
    "| a | b |\n|:--|--:|\n| `x\\|y` | `\\\\|` |",
    "- [x] done\n- [ ] not yet **done**\n- [X]\tby tab\n- [ ]\n\n  later",
    "1. [x] first\n\n   second",
    "~~out~~ and ~out~",
    "[^ẞ] [^ a  b ]\n\n[^ss]: one\n[^A b]: two\n\n    more",
  ])("for %j", (text) => {
    expect(ours(text)).toEqual(theirs(text));
  });
});

it("leaves addresses of xmpp to the text, as no link leads there", () => {
  const text = (tree: ReturnType<typeof ours>) => JSON.stringify(tree.children, ["type", "value", "children", "url"]);
  expect(text(ours("[ xmpp:a@b.c/d"))).toBe('[{"type":"paragraph","children":[{"type":"text","value":"[ xmpp:a@b.c/d"}]}]');
});
