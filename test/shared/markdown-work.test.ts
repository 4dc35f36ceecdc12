import { describe, expect, it, vi } from "vitest";
import { parseWithin, REQUEST_UNITS } from "#shared/markdown/bounded-document.ts";
import { imageAddresses } from "#shared/markdown/image-addresses.ts";
import { parseMarkdown } from "#shared/markdown/parse.ts";
import { WorkMeter } from "#shared/markdown/work-meter.ts";
import { busyMarkdown, tooMuchMarkdown } from "./hostile-markdown.ts";
import { readmes } from "./readmes.ts";

vi.setConfig({ testTimeout: 120_000 });

it.each(busyMarkdown)("bounded parsing reads what only looks as bad: %.12s", (text) => {
  expect(parseWithin(text, new WorkMeter(REQUEST_UNITS))).not.toBeNull();
});

it.each(readmes)("bounded parsing reads what people write in a fraction of it: %s", (_name, text) => {
  const work = new WorkMeter(REQUEST_UNITS);
  expect(parseWithin(text, work)).not.toBeNull();
  expect((REQUEST_UNITS - work.left) / text.length).toBeLessThan(75);
});

it("bounded parsing leaves nothing for further texts where others took it", () => {
  const work = new WorkMeter(REQUEST_UNITS);
  let read = 0;
  for (; work.left > 0 && read < 100; read += 1) parseWithin(tooMuchMarkdown, work);
  expect(read).toBeLessThan(10);
  expect(parseWithin("A *word*.", work)).toBeNull();
});

describe("an address among words without spaces", () => {
  /** Units of work that each character takes. */
  function workOf(part: string, length: number): number {
    const text = `www.a.b${part.repeat(length / part.length)}x`;
    const meter = new WorkMeter(1e12);
    parseMarkdown(text, undefined, [meter.syntax]);
    return (1e12 - meter.left) / text.length;
  }

  it.each(["www.", "www._", "www.a_", "(www.a_", "http://_", "!", `${"!".repeat(15)}a`, "&a;", "a@b.", "])", "]a"])(
    "an address among words without spaces takes as much work for each character of a long text as of a short one: %s",
    (part) => {
      const work = workOf(part, 18_000);
      expect(work).toBeLessThan(100);
      expect(work).toBeLessThan(workOf(part, 4_500) * 1.2 + 5);
    },
  );

  it("an address among words without spaces is not looked for again from each of its beginnings in what the parser left", () => {
    const text = "www._".repeat(4_000);
    let read = 0;
    const { exec } = RegExp.prototype;
    vi.spyOn(RegExp.prototype, "exec").mockImplementation(function (this: RegExp, from) {
      read += from.length - this.lastIndex;
      return exec.call(this, from);
    });
    parseMarkdown(text);
    vi.restoreAllMocks();
    expect(read).toBeLessThan(text.length * 100);
  });

  it("an address among words without spaces is found where it was, behind words of another script, in tables and behind rows of marks", () => {
    const linked = (text: string) => [...JSON.stringify(parseMarkdown(text)).matchAll(/"url":"([^"]*)"/g)].map(([, url]) => url);
    expect(linked("请看hello的world和http这个how和www网站：http://a.example/b")).toEqual(["http://a.example/b"]);
    expect(linked("|a|b|\n|-|-|\n|http://a.example|www.b.example|")).toEqual(["http://a.example", "http://www.b.example"]);
    expect(linked(`One${".".repeat(80)}7, www.a.example and http://b.example.`)).toEqual(["http://www.a.example", "http://b.example"]);
    expect(linked("www.a_b www.c_d www.e_f www.g_h www.i_j www.k.example")).toEqual(["http://www.k.example"]);
    expect(linked("mailto:a@b.example and (www.c.example)")).toEqual(["mailto:a@b.example", "http://www.c.example"]);
  });
});

it("a footnote's mark behind a '!' is found where it was, and not looked for through all before each bracket", () => {
  const text = (marks: string) => `![^a] and ![${"b".repeat(900)}] ${marks} ![^a]\n\n[^a]: Note`;
  const notes = (tree: unknown) => JSON.stringify(tree).split('"footnoteReference"').length - 1;
  expect(notes(parseMarkdown(text("])".repeat(20))))).toBe(2);
  const work = (length: number) => {
    const meter = new WorkMeter(1e12);
    parseMarkdown(text("])".repeat(length)), undefined, [meter.syntax]);
    return (1e12 - meter.left) / length;
  };
  expect(work(8_000)).toBeLessThan(work(2_000) * 1.2 + 5);
});

it("the images of a text are found wherever they stand", () => {
  const text =
    "![a](https://a.example/a.png) and [![b][b]](https://l.example)\n\n> - ![c](<https://c.example/ c.png>)\n\n[b]: https://b.example/b.png";
  expect([...imageAddresses(text)]).toEqual(["https://a.example/a.png", "https://b.example/b.png", "https://c.example/ c.png"]);
});

it("the images of a text are none where the text is too much to read", () => {
  expect(imageAddresses(`![a](https://a.example/a.png)\n\n${tooMuchMarkdown}`)).toEqual(new Set());
});
