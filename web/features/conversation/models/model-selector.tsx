import { ChevronDown } from "lucide-react";
import { Suspense, lazy, useEffect, useId, useRef, useState } from "react";
import type { Model } from "#shared/entities/model.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { ariaHotkey, hotkeyText, useHotkey } from "#web/lib/hotkeys.ts";
import { useEver } from "#web/lib/use-ever.ts";
import { Tooltip } from "#web/ui/toast/tooltip.tsx";
import { openProDialog, openSignInForModel, useAccess } from "./access-store.ts";
import { listStatus } from "./list-status.ts";
import { ModelTile } from "#web/ui/model-tile.tsx";
import { barrierOf, selectableModels } from "./selector-models.ts";
import { closeModelSelector, toggleModelSelector, useModelSelectorOpen } from "./selector-store.ts";
import { useModels, useShortModelName } from "./use-models.ts";
import { useSelectedModel } from "./use-selected-model.ts";

const loadPicker = () => import("./model-picker.tsx");
const ModelPicker = lazy(loadPicker);
const AccessDialogs = lazy(() => import("./access-dialogs.tsx"));

/** The composer's button that shows and switches a chat's model (null: the chat to come). */
export function ModelSelector({ chatId }: { chatId: string | null }) {
  const button = useRef<HTMLButtonElement>(null);
  const choiceId = useId();
  const { user } = useSession();
  const { modelId, name, select } = useSelectedModel(chatId);
  const catalogue = useModels();
  const access = useAccess();
  const open = useModelSelectorOpen();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const used = useEver(open);
  useHotkey("switchModel", toggleModelSelector);
  useEffect(() => setAnchor(button.current), []);
  // Leaving the screen with it open must not open it on the next one.
  useEffect(() => closeModelSelector, []);

  const short = useShortModelName(modelId);
  const pick = (model: Model) => {
    closeModelSelector();
    const barrier = barrierOf(model, user);
    if (barrier === "pro") openProDialog(model);
    else if (barrier === "sign_in") openSignInForModel(model);
    else select(model.id);
  };

  return (
    <>
      <Tooltip label="Switch model" shortcut={hotkeyText("switchModel")}>
        <button
          ref={button}
          type="button"
          aria-label="Switch model"
          aria-describedby={choiceId}
          aria-haspopup="dialog"
          aria-expanded={open}
          aria-keyshortcuts={ariaHotkey("switchModel")}
          onClick={toggleModelSelector}
          onPointerEnter={() => void loadPicker()}
          className="inline-flex h-32 min-w-0 items-center gap-8 rounded-8 px-8 text-13 font-medium max-[520px]:gap-4 max-[520px]:px-6 text-ink transition-colors duration-120 hover:bg-s3 aria-expanded:bg-s3 touch:h-44"
        >
          <ModelTile id={modelId} name={name} />
          <span id={choiceId} className="truncate">
            {short}
          </span>
          <ChevronDown aria-hidden className="-ml-2 size-14 shrink-0" />
        </button>
      </Tooltip>
      {used && anchor && (
        <Suspense>
          <ModelPicker
            open={open}
            anchor={anchor}
            keys={hotkeyText("switchModel")}
            models={selectableModels(catalogue.data?.models ?? [], user?.model_allowlist ?? null)}
            hasAutopilot
            status={listStatus(catalogue)}
            selectedId={modelId}
            onRetry={() => void catalogue.refetch()}
            onPick={pick}
            onClose={closeModelSelector}
          />
        </Suspense>
      )}
      {access.model && access.place === "page" && (
        <Suspense>
          <AccessDialogs />
        </Suspense>
      )}
    </>
  );
}
