import { expect, test } from "vitest";
import { parseDevVars } from "../../scripts/lib/dev-vars.ts";

test("names, values, quotes and comments are read", () => {
  const text = "# keys\nOPENROUTER_API_KEY=sk-1 # mine\nexport MAIL_FROM=\"Polylogue <a@b.org> # kept\"\r\n\nEMPTY=\nQUOTED='a=b'\n";
  expect(parseDevVars(text, ".dev.vars")).toEqual({
    OPENROUTER_API_KEY: "sk-1",
    MAIL_FROM: "Polylogue <a@b.org> # kept",
    EMPTY: "",
    QUOTED: "a=b",
  });
});

test.each(["A=1\nno equals sign", 'A=1\nB="open', "A=1\n=value", 'A=1\nB="x" y'])("a broken line is named: %j", (text) => {
  expect(() => parseDevVars(text, ".dev.vars")).toThrow(".dev.vars is broken in line 2");
});
