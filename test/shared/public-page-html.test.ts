import { describe, expect, test } from "vitest";
import { MATHML_ATTRIBUTES, MATHML_ELEMENTS } from "#shared/markdown/mathml.ts";
import { escapeHtml } from "#worker/platform/http/escape-html.ts";
import { createTypesetter } from "#worker/conversation/public-page/typeset-formula.ts";
import { tooMuchMarkdown } from "./hostile-markdown.ts";
import { ALLOWED_TAG, htmlOf, NO_CITATIONS, tagsOf } from "./public-page-tags.ts";

const HOSTILE = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg/onload=alert(1)>",
  '"><iframe srcdoc="<script>alert(1)</script>">',
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](&#106;avascript:alert(1))",
  "[x](data:text/html,<script>alert(1)</script>)",
  "[x](vbscript:x)",
  "[x](//evil.example)",
  "![x](javascript:alert(1))",
  '![x](https://evil.example/a.png "onerror=alert(1)")',
  '<https://evil.example/"onmouseover=alert(1)>',
  '[x](https://evil.example/"onmouseover="alert(1))',
  "[a]: javascript:alert(1)\n\n[a]",
  "| <script>alert(1)</script> | [x](javascript:1) |\n|---|---|\n| <b onclick=alert(1)>b</b> | y |",
  '```"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```',
  "$$\n</code><script>alert(1)</script>\n$$",
  "`</code><script>alert(1)</script>`",
  "[^1]\n\n[^1]: <script>alert(1)</script>",
  "- [x] <style>*{display:none}</style>",
  "# <form action=https://evil.example><input name=password>",
];

/** What GitHub makes of them: one blank line loosens a whole list, and a row has the cells of the head. */
const MARKDOWN_SHAPES = [
  ["- a\n\n  b\n- c", "<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>"],
  ["- a\n- b\n\n- c", "<ul><li><p>a</p></li><li><p>b</p></li><li><p>c</p></li></ul>"],
  ["- a\n  - b\n\n    c\n- d", "<ul><li>a<ul><li><p>b</p><p>c</p></li></ul></li><li>d</li></ul>"],
  ["- a\n  ***\n  b\n- c", "<ul><li>a<hr>b</li><li>c</li></ul>"],
  [
    "|a|b|\n|-|-|\n|1|2|3|\n|4|",
    "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr><tr><td>4</td><td></td></tr></tbody></table>",
  ],
] as const;

test.each(HOSTILE)("markdown on a public page: %s is nothing but text and links to the web", (markdown) => {
  expect(tagsOf(markdown).filter((tag) => !ALLOWED_TAG.test(tag))).toEqual([]);
});

test("markdown on a public page marks every link to elsewhere, and makes links of images", () => {
  const html = htmlOf("[a](https://a.example) ![b](https://b.example/b.png) https://c.example");
  const links = html.match(/<a [^>]*>/g) ?? [];
  expect(links).toHaveLength(3);
  for (const link of links) expect(link).toContain('target="_blank" rel="nofollow noopener noreferrer"');
  expect(html).not.toContain("<img");
});

test("markdown on a public page numbers citations that exist and leaves other marks alone", () => {
  const citations = [{ url: "https://a.example/x", title: 'A "quoted" title' }];
  const html = htmlOf("So it is [1], not [2].", { ...NO_CITATIONS, citations });
  expect(html).toContain('<a class="mark" href="https://a.example/x" aria-label="Source 1: A &quot;quoted&quot; title"');
  expect(html).toContain("not [2].");
});

test("markdown on a public page keeps an outline without gaps below a message's own heading", () => {
  const html = htmlOf("# one\n\n### two\n\n###### three\n\n> # quoted");
  expect(html.match(/<h\d/g)).toEqual(["<h3", "<h4", "<h5", "<h3"]);
});

test("markdown on a public page sets text from right to left by paragraph, and its lists, quotes and tables", () => {
  const html = htmlOf("# שלום\n\nwords\n\n- שלום\n\n> مرحبا\n\n| שם |\n|---|\n| c |");
  for (const part of [
    '<h3 dir="auto"',
    '<p dir="auto">words',
    '<ul dir="rtl"><li><div dir="auto">שלום',
    '<blockquote dir="rtl"><p dir="auto">',
    '<table dir="rtl">',
    '<td dir="auto">c',
  ])
    expect(html).toContain(part);
});

test("markdown on a public page gives each message's footnotes ids of their own", () => {
  expect(htmlOf("a[^n]\n\n[^n]: note", { ...NO_CITATIONS, prefix: "m-1-" })).toContain('<a href="#m-1-note-1"');
});

test("markdown on a public page shows markup as its source that would take seconds to parse", () => {
  expect(htmlOf(tooMuchMarkdown) === `<p dir="auto" class="raw">${escapeHtml(tooMuchMarkdown)}</p>`).toBe(true);
});

test("markdown on a public page shows a table with a wide head and many short rows at the cost of its cells", () => {
  const html = htmlOf(`${"|a".repeat(5_000)}\n${"|-".repeat(5_000)}\n${"1\n".repeat(5_000)}`);
  expect(html.match(/<t[hd] [^>]*dir/g)).toHaveLength(10_000);
  expect(html.match(/<td colspan="4999"><\/td>/g)).toHaveLength(5_000);
  expect(html).toContain('<td dir="auto" class="right">1</td>');
});

test.each(MARKDOWN_SHAPES)("markdown on a public page has lists and rows as GitHub has them: %j", (markdown, shape) => {
  const bare = htmlOf(markdown).replaceAll(/ [a-z]+="[^"]*"/g, "");
  expect(bare.replaceAll(/<\/?div[^>]*>/g, "")).toBe(shape);
});

test("markdown on a public page parses long answers and code with as many such characters", () => {
  const answer = `${"Some **bold** and [linked](https://a.example) words.\n\n".repeat(500)}~~~json\n${'["*"],'.repeat(1_000)}\n~~~\n\n**end**`;
  const html = htmlOf(answer);
  expect(html.match(/<strong>/g)).toHaveLength(501);
  expect(html).toContain('<figure class="code"><figcaption>json');
});

/** True for a tag of MathML with nothing but attributes of it. */
function isMathml(tag: string): boolean {
  const [name = ""] = tag.split(" ");
  const attributes = [...tag.matchAll(/([^\s=]+)=/g)].map(([, attribute = ""]) => attribute);
  return MATHML_ELEMENTS.has(name) && attributes.every((attribute) => MATHML_ATTRIBUTES.has(attribute));
}

describe("formulas on a public page", () => {
  const render = (markdown: string) => htmlOf(markdown, { ...NO_CITATIONS, typeset: createTypesetter() });

  test("formulas on a public page are MathML, in a line and in lines of their own", () => {
    const html = render("Since $E = mc^2$:\n\n$$\n\\frac{a}{b}\n$$");
    expect(html).toMatch(/<p dir="auto">Since <math><semantics><mrow><mi>E<\/mi>.*<msup>.*<\/math>:<\/p>/);
    expect(html).toMatch(/<div class="wide formula" [^>]*aria-label="Formula"><math display="block">.*<mfrac>/);
    expect(render("$a\\quad b$")).toContain('<mi>a</mi><mspace width="1em"/><mi>b</mi>');
    expect(render("$$\\sqrt 2$$")).toContain('aria-label="Formula"><math display="block">');
  });

  test.each([
    "\\href{javascript:alert(1)}{x}",
    "\\url{https://evil.example}",
    "\\includegraphics[width=1em]{https://evil.example/x.png}",
    "\\htmlStyle{position: fixed}{x}",
    "\\htmlClass{skip}{x}",
    "\\htmlId{chat}{x}",
    "\\htmlData{copy=1}{x}",
    "\\fcolorbox{red}{blue}{x}",
    "\\text{</math><script>alert(1)</script>}",
    '\\text{"><img src=x onerror=alert(1)>}',
    "\\color{red;background:url(https://evil.example)}x",
    "\\operatorname{</annotation></semantics></math><img src=x>}",
  ])("formulas on a public page: %s is nothing but MathML or its source", (source) => {
    const tags = [...render(`$$\n${source}\n$$\n\nand $${source}$`).matchAll(/<([a-z][^>]*)>/g)].map(([, tag = ""]) => tag);
    expect(tags).not.toEqual([]);
    expect(tags.filter((tag) => !ALLOWED_TAG.test(tag) && !isMathml(tag))).toEqual([]);
  });

  test.each([
    "\\def\\d#1{\\d{#1#1}}\\d{x}",
    "\\newcommand\\d[1]{#1#1}\\d{x}",
    "\\let\\d\\frac",
    `${"{".repeat(900)}${"\\unknown".repeat(3)}${"}".repeat(900)}`,
    `x${"+x".repeat(1_100)}`,
    "\\frac{a",
  ])("formulas on a public page: %.24s stays as it was written", (source) => {
    expect(render(`$$\n${source}\n$$`)).toContain(`<figcaption>math</figcaption><pre tabindex="0" aria-label="Code"><code>${source}`);
    expect(render(`a $${source}$ b`)).not.toContain("<math");
  });

  test("formulas on a public page stay as they were written from where a page has had its share", () => {
    const html = render(`$x${"+x".repeat(600)}$\n\n`.repeat(30));
    expect(html.match(/<math>/g)).toHaveLength(16);
    expect(html.match(/<code>/g)).toHaveLength(14);
  });
});
