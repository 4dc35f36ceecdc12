import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { parseWithin, REQUEST_UNITS } from "#shared/markdown/bounded-document.ts";
import { imageAddresses } from "#shared/markdown/image-addresses.ts";
import { parseMarkdown } from "#shared/markdown/parse.ts";
import { WorkMeter } from "#shared/markdown/work-meter.ts";
import { busyMarkdown, tooMuchMarkdown } from "./hostile-markdown.ts";
import { comparable, longParagraph, markdownWithDefinitions } from "./markdown-documents.ts";
import { readmes } from "./readmes.ts";

vi.setConfig({ testTimeout: 120_000 });

const within = (text: string) => parseWithin(text, new WorkMeter(REQUEST_UNITS));
const shape = (nodes: ReturnType<typeof within>) => nodes && comparable({ type: "root", children: [...nodes] });

describe("parsing for no more than a share of the work", () => {
  it("gives what a parse without a meter gives", () => {
    fc.assert(
      fc.property(fc.oneof(markdownWithDefinitions, longParagraph), (text) => {
        expect(shape(within(text))).toEqual(comparable(parseMarkdown(text)));
      }),
      { numRuns: 200, seed: 20_261_120 },
    );
  });

  it.each(tooMuchMarkdown)("gives up on %s", (_kind, text) => {
    const work = new WorkMeter(REQUEST_UNITS);
    expect(parseWithin(text, work)).toBeNull();
  });

  it.each(busyMarkdown)("reads what only looks as bad: %.12s", (text) => {
    expect(within(text)).not.toBeNull();
  });

  it.each(readmes)("reads what people write in a fraction of it: %s", (_name, text) => {
    const work = new WorkMeter(REQUEST_UNITS);
    expect(parseWithin(text, work)).not.toBeNull();
    expect((REQUEST_UNITS - work.left) / text.length).toBeLessThan(75);
  });

  it("leaves nothing for further texts where others took it", () => {
    const work = new WorkMeter(REQUEST_UNITS);
    const [[, text] = ["", ""]] = tooMuchMarkdown;
    let read = 0;
    for (; work.left > 0 && read < 100; read += 1) parseWithin(text, work);
    expect(read).toBeLessThan(10);
    expect(parseWithin("A *word*.", work)).toBeNull();
  });
});

describe("the images of a text", () => {
  it("are found wherever they stand", () => {
    const text =
      "![a](https://a.example/a.png) and [![b][b]](https://l.example)\n\n> - ![c](<https://c.example/ c.png>)\n\n[b]: https://b.example/b.png";
    expect([...imageAddresses(text)]).toEqual(["https://a.example/a.png", "https://b.example/b.png", "https://c.example/ c.png"]);
  });

  it("are none where the text is too much to read", () => {
    const [[, text] = ["", ""]] = tooMuchMarkdown;
    expect(imageAddresses(`![a](https://a.example/a.png)\n\n${text}`)).toEqual(new Set());
  });
});
