import * as z from "zod/mini";
import { nullishField } from "./nullish-field.ts";

/** A call as a model made it; `arguments` is JSON text that may be empty or invalid. */
export type ModelToolCall = { id: string; name: string; arguments: string };

/** A fragment of a call in a chunk: id and name come with its first fragment, and some providers leave `index` out. */
export const ToolCallFragment = z.object({
  index: nullishField(z.number()),
  id: nullishField(z.string()),
  function: z.nullish(z.object({ name: nullishField(z.string()), arguments: z.nullish(z.unknown()) })),
});
export type ToolCallFragment = z.infer<typeof ToolCallFragment>;

export type ToolCallAssembler = {
  add(fragments: readonly ToolCallFragment[]): void;
  /** All calls so far, in the order of their first fragments. */
  calls(): ModelToolCall[];
};

/** Puts a stream's calls together. */
export function assembleToolCalls(): ToolCallAssembler {
  const calls: ModelToolCall[] = [];
  const byIndex = new Map<number, ModelToolCall>();

  /** The call that a fragment belongs to: by its index, else by its id, else the last one. Another id under a known index is another call. */
  function find({ index, id, function: called }: ToolCallFragment): ModelToolCall | undefined {
    const found =
      index == null ? (id ? calls.find((call) => call.id === id) : called?.name ? undefined : calls.at(-1)) : byIndex.get(index);
    return found && id && found.id !== "" && found.id !== id ? undefined : found;
  }

  return {
    add(fragments) {
      for (const fragment of fragments) {
        let call = find(fragment);
        if (!call) calls.push((call = { id: "", name: "", arguments: "" }));
        if (fragment.index != null) byIndex.set(fragment.index, call);
        if (fragment.id) call.id = fragment.id;
        call.name ||= fragment.function?.name ?? "";
        call.arguments += textOf(fragment.function?.arguments);
      }
    },
    calls: () => calls.map((call) => ({ ...call })),
  };
}

/** True for a call that can be run as it stands: a name, and arguments that end where JSON ends. */
export function isCompleteCall(call: ModelToolCall): boolean {
  try {
    return call.name !== "" && typeof JSON.parse(call.arguments) === "object";
  } catch {
    return false;
  }
}

function textOf(value: unknown): string {
  if (value == null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
