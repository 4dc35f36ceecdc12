/** Whether a turn reads its person's memory, and whether its model may change it. */
import { FORGET_MEMORY, SAVE_MEMORY } from "#shared/memory-tools.ts";
import type { ChatSettings } from "#shared/entities/chat-settings.ts";
import type { MemoryPreferences } from "#worker/platform/env.ts";
import type { LibraryContribution, LibraryTurn, MemoryUse } from "#worker/library/contribution.ts";

/** What a message may do with its person's memory; one that nobody typed saves nothing. */
export function memoryFor({ isOn, isOnWhenTriggered }: MemoryPreferences, isTriggered: boolean): MemoryUse {
  if (!isOn) return "off";
  if (isTriggered) return isOnWhenTriggered ? "read" : "off";
  return "save";
}

/** What a program that asks with a key may do with it: it saves by its own tool, where its key allows that. */
export function withoutSaving(memory: MemoryUse): MemoryUse {
  return memory === "save" ? "read" : memory;
}

/** True for a turn with which memory goes along: never a guest's or one that may not use it, and none in a chat that is off the record. */
export function readsMemory(
  { memory, reader, sources }: Pick<LibraryTurn["request"], "memory" | "reader" | "sources">,
  settings: ChatSettings,
): boolean {
  return memory !== "off" && sources.includes("memory") && !reader.anonymous && settings.off_record !== true;
}

/** The tools with which a turn's model changes its person's memory. */
export async function changeMemory({ request, settings }: LibraryTurn): Promise<Pick<LibraryContribution, "tools">> {
  const mayChange = request.memory === "save" && request.model.tools && readsMemory(request, settings);
  return { tools: mayChange ? [SAVE_MEMORY, FORGET_MEMORY] : [] };
}
