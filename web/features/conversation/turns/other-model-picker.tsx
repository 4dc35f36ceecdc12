import type { Model } from "#shared/entities/model.ts";
import { DEEP_RESEARCH_MODEL_ID } from "#shared/models/model-ids.ts";
import { openProDialog, openSignInForModel } from "#web/features/conversation/models/access-store.ts";
import ModelPicker from "#web/features/conversation/models/model-picker.tsx";
import { barrierOf, selectableModels } from "#web/features/conversation/models/selector-models.ts";
import { useModels } from "#web/features/conversation/models/use-models.ts";
import { useSession } from "#web/features/people/session/use-session.ts";

type OtherModelPickerProps = { anchor: HTMLElement; currentId: string | null; onPick: (modelId: string) => void; onClose: () => void };

/** The list of models beside an answer, to have it answered by one of them. */
export default function OtherModelPicker({ anchor, currentId, onPick, onClose }: OtherModelPickerProps) {
  const { user } = useSession();
  const { data, isPending, isError, refetch } = useModels();
  const status = isPending ? "loading" : isError && !data ? "failed" : data?.stale ? "stale" : "ready";
  // A research is begun from the composer, which says first what it will cost.
  const models = selectableModels(data?.models ?? [], user?.model_allowlist ?? null).filter(({ id }) => id !== DEEP_RESEARCH_MODEL_ID);
  const pick = (model: Model) => {
    const barrier = barrierOf(model, user);
    if (barrier === "none") return onPick(model.id);
    onClose();
    return barrier === "pro" ? openProDialog(model) : openSignInForModel(model);
  };
  return (
    <ModelPicker
      open
      anchor={anchor}
      models={models}
      status={status}
      selectedId={currentId ?? ""}
      onRetry={() => void refetch()}
      onPick={pick}
      onClose={onClose}
    />
  );
}
