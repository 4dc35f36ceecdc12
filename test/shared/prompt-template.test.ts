import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  VARIABLES_PER_PROMPT,
  type TemplateValues,
  builtInsOf,
  fillTemplate,
  filledText,
  initialValue,
  parsePrompt,
  parseTemplate,
  valuesOfStep,
  variablesOf,
} from "#shared/library/prompt-template.ts";

function asked(template: string): string[] {
  return variablesOf(parseTemplate(template)).map((variable) =>
    variable.kind === "choice" ? `${variable.name}:${variable.choices.join("|")}` : `${variable.name}=${variable.fallback}`,
  );
}

function fill(template: string, variables: Record<string, string>, builtIns: TemplateValues["builtIns"] = {}): string {
  return filledText(fillTemplate(parseTemplate(template), { variables, builtIns }));
}

it.each([
  ["no variable", []],
  ["{{client}} in {{word limit}} words for {{client}}", ["client=", "word limit="]],
  ["{{ client }} and {{client}}", ["client="]],
  ["{{Größe}} {{名前}} {{a_1}} {{2026}}", ["Größe=", "名前=", "a_1=", "2026="]],
  ["{{Client}} and {{client}} are two", ["Client=", "client="]],
  ["{{tone:formal,friendly}}", ["tone:formal|friendly"]],
  ["{{tone: formal , friendly, formal,}}", ["tone:formal|friendly"]],
  ["{{at:9=10,11:30}}", ["at:9=10|11:30"]],
  ["{{audience=experts}}", ["audience=experts"]],
  ["{{link=https://example.com/?a=b}}", ["link=https://example.com/?a=b"]],
  ["{{tone}}, {{other}}, {{tone:formal,friendly}}", ["tone:formal|friendly", "other="]],
  ["{{tone=calm}}, {{tone:formal,friendly}}", ["tone=calm"]],
  ["{{{client}}}", ["client="]],
  ["{{CURRENT_DATE}} {{NAME}} {{X1}} {{NAME=default}} {{SELECTION:a,b}}", []],
  ["{{WORD LIMIT}} is no built-in's name", ["WORD LIMIT="]],
  ["{{}} {{ }} {{a-b}} {{a.b}} {{a{b}} {{a}b}} {client} {{two\nlines}} {{tone:}} {{:a}} {{=a}} {{client", []],
])("a prompt: %s", (template, expected) => {
  expect(asked(template)).toEqual(expected);
});

it("a prompt lists the built-ins that are used, and no others", () => {
  expect([...builtInsOf(parseTemplate("{{CLIPBOARD}} {{ CURRENT_DATE }} {{CLIPBOARD}} {{TODAY}} {{clipboard}}"))]).toEqual([
    "CLIPBOARD",
    "CURRENT_DATE",
  ]);
});

it("a prompt's field begins with the default, the first choice, or nothing", () => {
  expect(variablesOf(parseTemplate("{{a}}{{b=c}}{{d:e,f}}")).map(initialValue)).toEqual(["", "c", "e"]);
});

it("a prompt asks for a hundred variables, and leaves the others as they are", () => {
  const template = Array.from({ length: VARIABLES_PER_PROMPT + 2 }, (_, index) => `{{v${index}}}`).join(" ");
  expect(asked(template)).toHaveLength(VARIABLES_PER_PROMPT);
  expect(fill(`${template} {{v0}}`, { v0: "first", [`v${VARIABLES_PER_PROMPT}`]: "late" })).toBe(
    `${template} {{v0}}`.replaceAll("{{v0}}", "first"),
  );
});

it.each([
  ["Dear {{name}}, dear {{ name }}", { name: "Ines" }, "Dear Ines, dear Ines"],
  ["In {{word limit}} words", {}, "In {{word limit}} words"],
  ["In { { word limit:  } } words", {}, "In { { word limit:  } } words"],
  ["For {{audience=experts}}", {}, "For experts"],
  ["For {{audience=experts}}, {{audience}}", { audience: "" }, "For experts, experts"],
  ["{{tone:formal,friendly}}", {}, "formal"],
  ["{{tone:formal,friendly}} and {{tone}}", { tone: "friendly" }, "friendly and friendly"],
  ["{{a}}{{b}}", { a: "{{b}}", b: "$& {{a}}" }, "{{b}}$& {{a}}"],
  ["{{{a}}}", { a: "x" }, "{x}"],
  ["{{a}}\r\n{{NAME}} \t", { a: " kept \n" }, " kept \n\r\n{{NAME}} \t"],
  ["{{constructor}} {{__proto__}}", {}, "{{constructor}} {{__proto__}}"],
])("a filled prompt: %j with %j", (template, variables, expected) => {
  expect(fill(template, variables)).toBe(expected);
});

it("a filled prompt has its built-ins, and leaves those without a value as they are written", () => {
  expect(fill("{{CURRENT_DATE}} {{ USER_NAME }} {{SELECTION}}", {}, { CURRENT_DATE: "22 November 2026", USER_NAME: "Lena" })).toBe(
    "22 November 2026 Lena {{SELECTION}}",
  );
});

it("a filled prompt says which of its parts were filled and which stay open", () => {
  const values = { variables: { b: "x" }, builtIns: { USER_NAME: "Lena" } };
  expect(fillTemplate(parseTemplate("A {{b}} {{c}}{{USER_NAME}}"), values)).toEqual([
    { kind: "text", text: "A " },
    { kind: "filled", text: "x" },
    { kind: "text", text: " " },
    { kind: "open", text: "{{c}}" },
    { kind: "built_in", text: "Lena" },
  ]);
});

it("a workflow is split before it is filled in, and only its first step has what was answered before", () => {
  const steps = parsePrompt("Sum up {{LAST_ANSWER}} for {{who}}\n---\nShorten {{LAST_ANSWER}} for {{who}}");
  const values = { variables: { who: "a\n---\nb" }, builtIns: { LAST_ANSWER: "before" } };
  expect(steps.map((parts, step) => filledText(fillTemplate(parts, valuesOfStep(step, values))))).toEqual([
    "Sum up before for a\n---\nb",
    "Shorten {{LAST_ANSWER}} for a\n---\nb",
  ]);
});

describe("any text", () => {
  const fragment = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("{{", "}}", "{", "}", ":", "=", ",", "\n", "a", "NAME", "CLIPBOARD", "{{a}}", "{{b:c,d}}", "{{e=f}}", "{{USER_NAME}}"),
  );
  const template = fc.array(fragment, { maxLength: 40 }).map((pieces) => pieces.join(""));

  it("any text is its parts joined, byte for byte", () => {
    fc.assert(
      fc.property(template, (text) => {
        expect(
          parseTemplate(text)
            .map((part) => part.text)
            .join(""),
        ).toBe(text);
      }),
    );
  });

  it("any text keeps what is no variable, and takes a value once and as it is", () => {
    fc.assert(
      fc.property(template, fc.string({ unit: "binary", minLength: 1 }), (text, value) => {
        const parts = parseTemplate(text);
        const variables = Object.fromEntries(variablesOf(parts).map(({ name }) => [name, value]));
        const expected = parts.map((part) => (part.kind === "variable" ? value : part.text)).join("");
        expect(filledText(fillTemplate(parts, { variables, builtIns: {} }))).toBe(expected);
      }),
    );
  });

  it.each([
    ["{".repeat(400_000)],
    ["{{a".repeat(130_000)],
    ["{{a:,".repeat(80_000)],
    ["{{a}}".repeat(80_000)],
    [`{{${" ".repeat(400_000)}}}`],
  ])("any text of 400,000 hostile characters is read in linear time (%#)", (text) => {
    const before = performance.now();
    const parts = parseTemplate(text);
    fillTemplate(parts, { variables: {}, builtIns: {} });
    expect(performance.now() - before).toBeLessThan(1_000);
  });
});
