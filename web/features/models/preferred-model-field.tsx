import { useMutation } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { type ComponentProps, useEffect, useId, useState } from "react";
import { preferredWithin } from "#shared/allowlist.ts";
import { updateUser } from "#shared/contracts/users.ts";
import { AUTO_MODEL_ID, DEEP_RESEARCH_MODEL_ID, type Model } from "#shared/entities/model.ts";
import { setSessionUser, useSession } from "#web/features/session/use-session.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { cx } from "#web/ui/cx.ts";
import { late } from "#web/ui/late.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { fieldClass } from "#web/ui/text-field.tsx";
import { dispatchAccess, openProDialog, useAccess } from "./access-store.ts";
import { listStatus } from "./list-status.ts";
import { ModelTile } from "./model-tile.tsx";
import { barrierOf, selectableModels } from "./selector-models.ts";
import { modelName, useModels } from "./use-models.ts";

type PickerProps = ComponentProps<typeof import("./model-picker.tsx").default>;

const ModelPicker = lazyPart<PickerProps>(async () => (await late(import("./model-picker.tsx"))).default);
const AccessDialogs = lazyPart(async () => (await late(import("./access-dialogs.tsx"))).default);

/** The model that new chats start with, in Settings > General; only allowed ones can be picked. */
export function PreferredModelField() {
  const id = useId();
  const { user } = useSession();
  const catalogue = useModels();
  const access = useAccess();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isUsed, setIsUsed] = useState(false);
  if (isOpen && !isUsed) setIsUsed(true);
  const save = useMutation({
    mutationFn: (preferred: string) => call(updateUser, { body: { preferred_model: preferred } }),
    onSuccess: (answer) => setSessionUser(answer.user),
  });
  // Left with the dialog open, it must not open with the settings again.
  useEffect(() => () => dispatchAccess({ type: "close" }), []);
  if (!user) return null;
  const { data } = catalogue;
  // A research is chosen each time, as each costs what many answers do.
  const models = selectableModels(data?.models ?? [], user.model_allowlist).filter(({ id: model }) => model !== DEEP_RESEARCH_MODEL_ID);
  const saved = preferredWithin(user.preferred_model, user.model_allowlist) ?? AUTO_MODEL_ID;
  const value = save.isPending ? save.variables : saved;
  const name = modelName(data?.models, value);
  const pick = (model: Model) => {
    setIsOpen(false);
    if (barrierOf(model, user) === "none") save.mutate(model.id);
    else openProDialog(model, "settings");
  };
  return (
    <div>
      <p id={`${id}-label`} className="mb-6 text-13 font-medium text-ink">
        Preferred model
      </p>
      <button
        ref={setAnchor}
        type="button"
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-value ${id}-hint`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className={cx(fieldClass, "flex h-36 items-center gap-8 text-left text-14 touch:h-44 touch:text-16")}
      >
        <ModelTile id={value} name={name} />
        <span id={`${id}-value`} className="min-w-0 flex-1 truncate">
          {name}
        </span>
        <ChevronDown aria-hidden className="size-16 text-ink2" />
      </button>
      {isUsed && anchor && (
        <ModelPicker
          open={isOpen}
          anchor={anchor}
          label="Preferred model"
          models={models}
          status={listStatus(catalogue)}
          selectedId={value}
          onRetry={() => void catalogue.refetch()}
          onPick={pick}
          onClose={() => setIsOpen(false)}
        />
      )}
      {access.model && access.place === "settings" && <AccessDialogs />}
      {save.isError && (
        <p role="alert" className="mt-6 text-13 text-danger">
          {save.error instanceof ApiError ? save.error.message : "The preferred model was not saved."}
        </p>
      )}
      <p id={`${id}-hint`} className="mt-6 text-13 text-ink2">
        {hintFor(user.auto_mode_default, value)}
      </p>
    </div>
  );
}

function hintFor(isAutopilot: boolean, modelId: string): string {
  if (!isAutopilot) return "New chats start with it.";
  return modelId === AUTO_MODEL_ID ? "New chats start with Autopilot." : "Autopilot takes it where it suits the question.";
}
