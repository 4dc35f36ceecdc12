import { useSyncExternalStore } from "react";
import { DEEP_RESEARCH_MODEL_ID } from "#shared/entities/model.ts";

/** Where the choice for the chat that does not exist yet is kept. */
const NEW_CHAT = "new";

const chosen = new Map<string, string>();
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps what was picked on this page for a chat (null: the one to come); a null model forgets it. */
export function chooseModel(chatId: string | null, modelId: string | null): void {
  if (modelId === null) chosen.delete(chatId ?? NEW_CHAT);
  else chosen.set(chatId ?? NEW_CHAT, modelId);
  notify();
}

/** The first message makes the chat: the model it went to stays that chat's, and the next new chat starts from the preferred one again. */
export function keepModelForChat(chatId: string, modelId: string): void {
  chosen.delete(NEW_CHAT);
  if (modelId !== DEEP_RESEARCH_MODEL_ID) chosen.set(chatId, modelId);
  notify();
}

/** A message has gone to a model: a research is chosen for one question, and what follows is asked about its report. */
export function spendModel(chatId: string, modelId: string): void {
  if (modelId === DEEP_RESEARCH_MODEL_ID) chooseModel(chatId, null);
}

/** What was picked on this page for a chat, or null. */
export function useChosenModel(chatId: string | null): string | null {
  return useSyncExternalStore(subscribe, () => chosen.get(chatId ?? NEW_CHAT) ?? null);
}
