import hljs from "highlight.js/lib/core";
import typescript from "highlight.js/lib/languages/typescript";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkCode, chunkLines, countLines } from "#web/features/library/markdown/code/code-chunks.ts";
import { loadLanguages } from "#web/features/library/markdown/code/highlight-languages.ts";
import { hueOf, stretchesOf, toTokens } from "#web/features/library/markdown/code/highlight-tokens.ts";
import { languageOf } from "#web/features/library/markdown/code/language-names.ts";
import { type MathSource, toMathElements } from "#web/features/library/markdown/formulas/typeset-formula.ts";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";

const code = 'const a = new Map<string, number>(); // note\nfunction f() {\n  return `x ${1 + 2}`;\n}\n/* two\nlines */ f("text", true);\n';

function tokensOf(text: string) {
  hljs.registerLanguage("typescript", typescript);
  const { _emitter: emitter } = hljs.highlight(text, { language: "typescript" });
  return toTokens("rootNode" in emitter ? emitter.rootNode : undefined);
}

it("chunks of code are whole lines that make up the code, at most 40 each", () => {
  const text = fc.array(fc.constantFrom("a", "\n", "\n\n", "line\n"), { maxLength: 300 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (source) => {
      const chunks = chunkCode(source);
      expect(chunks.map((chunk) => chunk.text).join("")).toBe(source);
      for (const chunk of chunks) {
        expect(source.slice(chunk.start, chunk.start + chunk.text.length)).toBe(chunk.text);
        expect(countLines(chunk.text.replace(/\n$/, ""))).toBeLessThanOrEqual(chunkLines);
      }
    }),
  );
});

it("colours are of the words they belong to", () => {
  const stretches = stretchesOf(code, 0, tokensOf(code));
  const hue = (text: string) => stretches.find((stretch) => stretch.text === text)?.hue;
  expect(["const", "Map", "// note", "f", "1", '"text"', "true"].map(hue)).toEqual([1, 5, 7, 4, 3, 2, 3]);
});

it("colours leave the code as it is, whole or in chunks", () => {
  const tokens = tokensOf(code);
  fc.assert(
    fc.property(fc.nat(code.length), fc.nat(code.length), (one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      const stretches = stretchesOf(code.slice(from, to), from, tokens);
      expect(stretches.map(({ text }) => text).join("")).toBe(code.slice(from, to));
      expect(stretches.every(({ hue }) => hue <= 7)).toBe(true);
    }),
  );
});

it("colours follow the scope's most exact name that is known", () => {
  expect([hueOf("title.class_.inherited__"), hueOf("title.function_"), hueOf("built_in"), hueOf("unknown")]).toEqual([5, 4, 5, undefined]);
});

it.each([
  ["TSX", "typescript"],
  ["py", "python"],
  ["c++", "cpp"],
  ["toml", "ini"],
  ["constructor", undefined],
  ["", undefined],
])("languages are known by their other names: %s", (name, expected) => {
  expect(languageOf(name)).toBe(expected);
});

it("languages are loaded with those inside them, each name leading to one", async () => {
  expect((await loadLanguages("xml")).map(({ name }) => name)).toEqual(["xml", "css", "javascript"]);
  for (const name of ["sh", "console", "rb", "docker", "md", "vue", "f#", "objc", "wat", "viml"]) {
    const language = languageOf(name) ?? "none";
    expect((await loadLanguages(language))[0]?.name).toBe(language);
  }
});

describe("MathML", () => {
  const text = (value: string): MathSource => ({ nodeType: 3, nodeName: "#text", textContent: value, childNodes: [] });
  const element = (nodeName: string, childNodes: MathSource[], attributes: Record<string, string> = {}): MathSource => ({
    nodeType: 1,
    nodeName,
    textContent: null,
    childNodes,
    attributes: Object.entries(attributes).map(([name, value]) => ({ name, value })),
  });

  it("MathML keeps formulas and drops what is not part of one", () => {
    const source = element("span", [
      element(
        "math",
        [element("mi", [text("x")], { mathvariant: "bold", onclick: "alert(1)", href: "javascript:1" }), element("script", [text("1")])],
        {
          display: "block",
        },
      ),
    ]);
    const markup = renderToStaticMarkup(createElement("div", null, toMathElements([source])));
    expect(markup).toBe('<div><math display="block"><mi mathvariant="bold">x</mi>1</math></div>');
  });

  it("MathML keeps the spaces between its parts, which stand there as bare characters, and those of a text", () => {
    const source = element("mrow", [
      element("mi", [text("r")]),
      text("\u2009"),
      element("mi", [text("d")]),
      text("\u2009\u2063"),
      element("mtext", [text("\u2009")]),
    ]);
    const markup = renderToStaticMarkup(createElement("math", null, toMathElements([source])));
    expect(markup).toBe(
      '<math><mrow><mi>r</mi><mspace width="0.1667em"></mspace><mi>d</mi><mspace width="-0.1667em"></mspace><mtext>\u2009</mtext></mrow></math>',
    );
  });
});
