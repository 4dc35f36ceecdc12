import { expect, test } from "vitest";
import { applyEdits, fieldsOf, realEdits } from "#web/features/conversation/tools/approval-fields.ts";

const MAIL = {
  to: ["marta@example.pt", "teo@example.pt"],
  subject: "Re: invoice",
  body: "Dear Marta,\n\nfine.",
  options: { receipt: true },
  cc: [],
};

test("the fields of what a tool is about to do are lines, texts, lists and JSON, in their order", () => {
  expect(fieldsOf(MAIL).map(({ name, label, kind }) => `${name} ${label} ${kind}`)).toEqual([
    "to To list",
    "subject Subject line",
    "body Body text",
    "options Options json",
    "cc Cc json",
  ]);
  expect(fieldsOf({ note: "x".repeat(91), reply_to: "a" }).map(({ label, kind }) => `${label} ${kind}`)).toEqual([
    "Note text",
    "Reply to line",
  ]);
  for (const odd of ["text", null, 3, [1]]) expect(fieldsOf(odd)).toEqual([]);
});

test("the fields of what a tool is about to do that are numbers stay numbers", () => {
  expect(fieldsOf({ max_duration: 5 })).toEqual([{ name: "max_duration", label: "Max duration", kind: "number", value: "5" }]);
  expect(applyEdits({ max_duration: 5 }, { max_duration: "7" })).toEqual({ ok: true, input: { max_duration: 7 } });
  for (const max_duration of ["", "long"]) {
    expect(applyEdits({ max_duration: 5 }, { max_duration })).toEqual({
      ok: false,
      field: "max_duration",
      error: "Max duration is a number.",
    });
  }
});

test("the fields of what a tool is about to do come back as they were, with the edits in their own types", () => {
  expect(applyEdits(MAIL, {})).toEqual({ ok: true, input: MAIL });
  expect(
    applyEdits(MAIL, { to: "ina@example.pt\n \nteo@example.pt ", subject: "Hello", options: '{"receipt": false}', cc: '["x"]' }),
  ).toEqual({
    ok: true,
    input: { ...MAIL, to: ["ina@example.pt", "teo@example.pt"], subject: "Hello", options: { receipt: false }, cc: ["x"] },
  });
});

test("the fields of what a tool is about to do say which one is no JSON, and take no field that the model did not write", () => {
  expect(applyEdits(MAIL, { options: "{receipt" })).toEqual({ ok: false, field: "options", error: "Options is not valid JSON." });
  expect(applyEdits(MAIL, { bcc: "spy@example.com" })).toEqual({ ok: true, input: MAIL });
});

test("the fields of what a tool is about to do count as edited only where they differ", () => {
  expect(realEdits(MAIL, { subject: "Re: invoice", body: "No.", bcc: "x" })).toEqual({ body: "No." });
});
