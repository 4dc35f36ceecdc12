import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { toDocx } from "#web/features/library/artifact-export/to-docx.ts";
import { toHtml } from "#web/features/library/artifact-export/to-html.ts";
import { fileName } from "#web/features/library/artifact-export/export-artifact.ts";

const TEXT =
  "## Costs\n\nWith **stress**, a [link](https://example.com) and <script>alert(1)</script>.\n\n3. three\n4. four\n   - inner\n\n| Item | Cost |\n|---|--:|\n| Rent | 5 |\n\n```js\nlet a;\n```\n\nA note[^1].\n\n[^1]: The note.\n\n[bad](javascript:alert(1))";

test("an artifact taken away as a Word document has headings, lists, tables and links as such", async () => {
  const files = unzipSync(new Uint8Array(await (await toDocx("Lisbon", TEXT)).arrayBuffer()));
  const body = strFromU8(files["word/document.xml"] ?? new Uint8Array());
  expect(body).toContain('w:val="Heading2"');
  expect(body).toContain("<w:tbl>");
  expect(body).toContain("<w:hyperlink");
  expect(body).toContain("<w:numPr>");
  expect(body).toContain("Lisbon");
  expect(body).toContain("&lt;script&gt;");
  expect(strFromU8(files["word/numbering.xml"] ?? new Uint8Array())).toContain('<w:start w:val="3"/>');
  expect(strFromU8(files["word/_rels/document.xml.rels"] ?? new Uint8Array())).not.toContain("javascript:");
});

test("an artifact taken away as HTML has its text escaped, so nothing in it runs", () => {
  const html = toHtml("A <b>title</b>", TEXT);
  expect(html).toContain("<h1>A &lt;b&gt;title&lt;/b&gt;</h1>");
  expect(html).toContain("&lt;script&gt;");
  expect(html).not.toContain("<script");
  expect(html).not.toContain("javascript:");
  expect(html).toContain('<ol start="3">');
  expect(html).toContain("<sup>1</sup>");
  expect(html).toContain('<td style="text-align:right">5</td>');
});

test("an artifact taken away has its own pictures in it, and names those that it has not", async () => {
  const own = "/api/artifacts/5b0f7d5e-3f0e-4a53-9b7f-0b3a6f2f9f10/files/0d9f4a1c-6f0f-4a7b-8f57-2f2f8f9b7a11";
  const data = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pictures = new Map([[own, { type: "png", data, width: 1200, height: 300 } as const]]);
  const text = `![The plan](${own})\n\n![Far](https://example.com/far.png)\n`;
  const html = toHtml("Plan", text, pictures);
  expect(html).toContain('<img src="data:image/png;base64,iVBORw0KGgo=" alt="The plan" width="1200" height="300">');
  expect(html).toContain('<a href="https://example.com/far.png">Far</a>');
  const files = unzipSync(new Uint8Array(await (await toDocx("Plan", text, pictures)).arrayBuffer()));
  expect(Object.entries(files).find(([name]) => /^word\/media\/.*\.png$/.test(name))?.[1]).toEqual(data);
  const body = strFromU8(files["word/document.xml"] ?? new Uint8Array());
  // As wide as the page at most: 600 pixels of 9,525 units each.
  expect(body).toContain('cx="5715000" cy="1428750"');
  expect(body).toContain('descr="The plan"');
  expect(body).toContain("Far");
});

test("an artifact taken away is named by its title, without what no file name may hold", () => {
  expect(fileName('Costs: "2026" / plan', "docx")).toBe("Costs 2026 plan.docx");
  expect(fileName("  ", "md")).toBe("Artifact.md");
});
