import * as z from "zod/mini";
import { preferredWithin } from "#shared/models/allowlist.ts";
import type { Model } from "#shared/entities/model.ts";
import { AUTO_MODEL_ID, AUTOPILOT_MODEL_ID, DEEP_RESEARCH_MODEL_ID } from "#shared/models/model-ids.ts";
import { changeSettings, useChatSettings } from "#web/features/conversation/chat-settings/use-chat-settings.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { barrierOf } from "./selector-models.ts";
import { modelName, useModels } from "./use-models.ts";
import { stored } from "#web/lib/storage.ts";

export type SelectedModel = {
  /** What the next message is sent to: `auto`, `autopilot` or a real id. */
  modelId: string;
  /** Without its maker. */
  name: string;
  /** Null until the catalogue is here, for a model that left it, and with Autopilot. */
  model: Model | null;
  /** Picks another one, for this chat from now on. */
  select: (modelId: string) => void;
};

/**
 * The model of a chat's next message (null: the chat to come): the one picked here, else the chat's, else Autopilot where new chats start
 * with it, else the preferred one, else in a new chat the one last picked on this device, else 'Auto'; outside the allowlist the first
 * allowed takes its place.
 */
export function useSelectedModel(chatId: string | null): SelectedModel {
  const { user } = useSession();
  const { data } = useModels();
  const { model_id: chosen } = useChatSettings(chatId);
  const preference = user?.preferred_model ?? (chatId === null ? lastPickedModel() : null);
  const byDefault = usableDefault(preference, { models: data?.models, user });
  const wanted = chosen ?? (user?.auto_mode_default ? AUTOPILOT_MODEL_ID : byDefault) ?? AUTO_MODEL_ID;
  const modelId = preferredWithin(wanted, user?.model_allowlist ?? null) ?? AUTO_MODEL_ID;
  return {
    modelId,
    name: modelName(data?.models, modelId),
    model: data?.models.find((model) => model.id === modelId) ?? null,
    select: (id) => {
      storePickedModel(id);
      void changeSettings(chatId, { model_id: id }, "The model was not changed");
    },
  };
}

type Within = { models: readonly Model[] | undefined; user: Parameters<typeof barrierOf>[1] };

/** A default that this person cannot use (any more) is 'Auto'; what a chat was given is asked for, and refused with its reason. */
export function usableDefault(modelId: string | null, { models, user }: Within): string | null {
  if (modelId === null || modelId === AUTOPILOT_MODEL_ID || models === undefined) return modelId;
  const known = models.find((model) => model.id === modelId);
  return known && barrierOf(known, user) === "none" ? modelId : AUTO_MODEL_ID;
}

const storedLastModel = stored<string | null>("last-model", z.nullable(z.string()), null);
let lastModel: string | null | undefined;

/** The model that was picked last on this device; null where none ever was. */
export function lastPickedModel(): string | null {
  lastModel ??= storedLastModel.read();
  return lastModel;
}

/** Keeps a pick for new chats; a research is chosen each time, as each costs what many answers do. */
function storePickedModel(modelId: string): void {
  if (modelId === DEEP_RESEARCH_MODEL_ID) return;
  lastModel = modelId;
  storedLastModel.write(modelId);
}
