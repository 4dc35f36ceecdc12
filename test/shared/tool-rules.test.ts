import { expect, test } from "vitest";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import type { ToolPartEvent } from "#shared/reply-events.ts";
import type { ToolCategory } from "#shared/entities/tool-category.ts";
import { applyToolEvent } from "#shared/tools/tool-call-events.ts";
import { isToolOn, switchTool } from "#shared/tools/tool-rules.ts";
import { toolCall } from "#test/support/sample-tool-call.ts";

const optional: ToolCategory = {
  id: "phone",
  name: "",
  description: "",
  icon: "",
  toolIds: ["call"],
  isAlwaysOn: false,
  isDynamic: false,
  state: "ready",
};
const always: ToolCategory = { ...optional, id: "search", isAlwaysOn: true };
const off = { enabled: false, is_always_on_override: false, always_allowed: false };
const on = { ...off, enabled: true };

test("a tool is on by its category, unless its person switched it off or an override decides alone", () => {
  expect(isToolOn(optional, undefined, [])).toBe(false);
  expect(isToolOn(optional, undefined, ["phone"])).toBe(true);
  expect(isToolOn(optional, off, ["phone"])).toBe(false);
  expect(isToolOn(always, undefined, [])).toBe(true);
  expect(isToolOn(always, off, [])).toBe(true);
  expect(isToolOn(always, { ...off, is_always_on_override: true }, ["search"])).toBe(false);
  expect(isToolOn(optional, { ...on, is_always_on_override: true }, [])).toBe(true);
  expect(isToolOn(null, on, [])).toBe(false);
});

test("switching a tool has an effect in every category, and leaves alone what it may do unasked", () => {
  for (const category of [optional, always]) {
    const switchedOff = switchTool(category, { ...on, always_allowed: true }, false);
    expect(isToolOn(category, switchedOff, [category.id])).toBe(false);
    expect(switchedOff.always_allowed).toBe(true);
    expect(isToolOn(category, switchTool(category, switchedOff, true), [category.id])).toBe(true);
  }
});

const ID = "00000000-0000-4000-8000-000000000001";
const call = toolCall({ id: ID, tool: "testEcho" });
const partEvent = (id: string, text: string, status: "running" | "done" = "running"): ToolPartEvent => ({
  type: "tool_part",
  call_id: ID,
  part: { id, title: id, model_id: null, status, cost: null },
  text,
});

test("partial results grow side by side, and a call's own event takes the place of all that was stored of it", () => {
  const calls = [partEvent("a", "one "), partEvent("b", "other"), partEvent("a", "two", "done")].reduce<ToolCall[]>(applyToolEvent, [call]);
  expect(calls[0]?.parts).toMatchObject([
    { id: "a", text: "one two", status: "done" },
    { id: "b", text: "other", status: "running" },
  ]);
  expect(applyToolEvent(calls, { type: "tool", call: { ...call, status: "done", output: "all" } })).toEqual([
    { ...call, status: "done", output: "all" },
  ]);
  expect(applyToolEvent([], partEvent("a", "of no known call"))).toEqual([]);
});
