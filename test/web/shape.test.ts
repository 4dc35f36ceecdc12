import { describe, expect, test } from "vitest";
import * as shape from "#web/lib/shape.ts";

type Draft = { id: string; size: number; note: string | null; tags: string[]; parent?: string | undefined };

const draft = shape.record<Draft>({
  id: shape.text,
  size: shape.number,
  note: shape.nullable(shape.text),
  tags: shape.listOf(shape.text),
  parent: shape.optional(shape.text),
});
const whole = { id: "a", size: 1, note: null, tags: ["x"] };

describe("what is kept in the browser", () => {
  test("is taken as it is when it has its shape, with what a newer version added", () => {
    expect(draft.safeParse({ ...whole, parent: "b", colour: "red" })).toEqual({
      success: true,
      data: { ...whole, parent: "b", colour: "red" },
    });
    expect(draft.safeParse(whole).success).toBe(true);
  });

  test.each([
    ["a missing field", { id: "a", size: 1, tags: [] }],
    ["another kind of value", { ...whole, size: "1" }],
    ["a wrong item of a list", { ...whole, tags: ["x", 2] }],
    ["null in place of nothing", { ...whole, parent: null }],
    ["no object", "a"],
    ["null", null],
  ])("is dropped for %s", (_, value) => expect(draft.safeParse(value)).toEqual({ success: false }));

  test("may have any fields of a kind, beside those that it must have", () => {
    const kind = shape.either(shape.nullable(shape.text), shape.listOf(shape.text));
    const some = shape.both(shape.valuesOf<{ id?: string | null }>(kind), shape.record({ id: shape.text }));
    for (const held of [{ id: "a" }, { id: "a", note: null, tags: ["x"] }])
      expect(some.safeParse(held)).toEqual({ success: true, data: held });
    for (const odd of [{}, { id: null }, { id: "a", tags: [1] }, { id: "a", note: 1 }, ["a"], null]) {
      expect(some.safeParse(odd)).toEqual({ success: false });
    }
  });

  test("may have one of several shapes, distinguished by a word", () => {
    const state = shape.either(
      shape.record({ kind: shape.oneOf("idle") }),
      shape.record({ kind: shape.oneOf("failed"), code: shape.text }),
    );
    expect(state.safeParse({ kind: "idle" }).success).toBe(true);
    expect(state.safeParse({ kind: "failed", code: "X" }).success).toBe(true);
    expect(state.safeParse({ kind: "failed" }).success).toBe(false);
    expect(state.safeParse({ kind: "other" }).success).toBe(false);
    expect(shape.flag.safeParse(true).success).toBe(true);
    expect(shape.flag.safeParse("true").success).toBe(false);
  });
});
