import { useMutation } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useId } from "react";
import { preferredWithin } from "#shared/allowlist.ts";
import { updateUser } from "#shared/contracts/users.ts";
import { AUTO_MODEL_ID, DEEP_RESEARCH_MODEL_ID } from "#shared/entities/model.ts";
import { nameWithoutMaker } from "#shared/model-names.ts";
import { setSessionUser, useSession } from "#web/features/session/use-session.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { cx } from "#web/ui/cx.ts";
import { fieldClass } from "#web/ui/text-field.tsx";
import { barrierOf, selectableModels } from "./selector-models.ts";
import { modelName, useModels } from "./use-models.ts";

/** The model that new chats start with, in Settings > General; only allowed ones can be picked. */
export function PreferredModelField() {
  const id = useId();
  const { user } = useSession();
  const { data } = useModels();
  const save = useMutation({
    mutationFn: (preferred: string) => call(updateUser, { body: { preferred_model: preferred } }),
    onSuccess: (answer) => setSessionUser(answer.user),
  });
  if (!user) return null;
  // A research is chosen each time, as each costs what many answers do.
  const models = selectableModels(data?.models ?? [], user.model_allowlist).filter(({ id: model }) => model !== DEEP_RESEARCH_MODEL_ID);
  const saved = preferredWithin(user.preferred_model, user.model_allowlist) ?? AUTO_MODEL_ID;
  const value = save.isPending ? save.variables : saved;
  const isListed = models.some((model) => model.id === value);
  return (
    <div>
      <label htmlFor={id} className="mb-6 block text-13 font-medium text-ink">
        Preferred model
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          aria-describedby={`${id}-hint`}
          onChange={(event) => save.mutate(event.target.value)}
          className={cx(fieldClass, "h-36 appearance-none pr-36 text-14 touch:h-44 touch:text-16")}
        >
          {!isListed && <option value={value}>{modelName(data?.models, value)}</option>}
          {models.map((model) => {
            const barrier = barrierOf(model, user);
            const note = { none: "", pro: " (Pro)", sign_in: " (sign in)" }[barrier];
            return (
              <option key={model.id} value={model.id} disabled={barrier !== "none"}>
                {nameWithoutMaker(model.name) + note}
              </option>
            );
          })}
        </select>
        <ChevronDown aria-hidden className="pointer-events-none absolute top-1/2 right-11 size-16 -translate-y-1/2 text-ink2" />
      </div>
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
