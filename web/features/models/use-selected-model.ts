import { skipToken, useQuery } from "@tanstack/react-query";
import { preferredWithin } from "#shared/allowlist.ts";
import { type getChat, updateChat } from "#shared/contracts/chats.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { AUTO_MODEL_ID, AUTOPILOT_MODEL_ID, DEEP_RESEARCH_MODEL_ID, type Model } from "#shared/entities/model.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast.tsx";
import { chooseModel, useChosenModel } from "./chosen-models.ts";
import { barrierOf } from "./selector-models.ts";
import { modelName, useModels } from "./use-models.ts";

type ChatAnswer = ResponseOf<typeof getChat>;

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

/** The model of a chat's next message (null: the chat to come): the one picked here, else the chat's, else Autopilot where new chats start with it, else the preferred one, else 'Auto'; outside the allowlist the first allowed takes its place. */
export function useSelectedModel(chatId: string | null): SelectedModel {
  const { user } = useSession();
  const { data } = useModels();
  const { data: answer } = useQuery<ChatAnswer>({ queryKey: keys.chat(chatId ?? "none"), queryFn: skipToken });
  const chosen = useChosenModel(chatId);
  const preferred = data?.models.find((model) => model.id === user?.preferred_model);
  // A default that this person cannot use (any more) is no default; what a chat was given is asked for and refused with its reason.
  const byDefault = preferred && barrierOf(preferred, user) !== "none" ? AUTO_MODEL_ID : user?.preferred_model;
  // Where the last question was researched, the next one is not by itself.
  const last = answer?.chat.model_id === DEEP_RESEARCH_MODEL_ID ? null : answer?.chat.model_id;
  const wanted = chosen ?? last ?? (user?.auto_mode_default ? AUTOPILOT_MODEL_ID : byDefault) ?? AUTO_MODEL_ID;
  const modelId = preferredWithin(wanted, user?.model_allowlist ?? null) ?? AUTO_MODEL_ID;
  return {
    modelId,
    name: modelName(data?.models, modelId),
    model: data?.models.find((model) => model.id === modelId) ?? null,
    select: (id) => void select(chatId, id),
  };
}

async function select(chatId: string | null, modelId: string): Promise<void> {
  chooseModel(chatId, modelId);
  if (chatId === null || !queryClient.getQueryData(keys.chat(chatId))) return;
  try {
    const { chat } = await call(updateChat, { params: { id: chatId }, body: { model_id: modelId } });
    queryClient.setQueryData<ChatAnswer>(keys.chat(chatId), (held) => held && { chat: { ...held.chat, model_id: chat.model_id } });
  } catch (error) {
    chooseModel(chatId, null);
    toast({ title: "The model was not changed", description: error instanceof ApiError ? error.message : "", tone: "danger" });
  }
}
