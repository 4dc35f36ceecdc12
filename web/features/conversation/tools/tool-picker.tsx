import { useEffect, useState } from "react";
import { DEEP_RESEARCH_MODEL_ID } from "#shared/models/model-ids.ts";
import { useSelectedModel } from "#web/features/conversation/models/use-selected-model.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { preloadAtFirstSign } from "#web/ui/preload.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { toolCountText } from "./optional-categories.ts";
import { PickerButton } from "./picker-button.tsx";
import { useCategoriesQuery } from "./use-categories.ts";
import { useToolChoice } from "./use-tool-choice.ts";

const ToolPickerPopup = lazyPart(async () => (await import("./tool-picker-popup.tsx")).default);

/** The composer's button that shows and changes which tools a chat's model may choose from (null: the chat to come). */
export function ToolPicker({ chatId }: { chatId: string | null }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isUsed, setIsUsed] = useState(false);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { offered, categories, toggle } = useToolChoice(chatId);
  const { model } = useSelectedModel(chatId);
  useEffect(() => preloadAtFirstSign([ToolPickerPopup]), []);
  const served = useCategoriesQuery();
  // It is neither gone nor back while it is asked for again.
  const isLost = served.data === undefined && served.errorUpdateCount > 0;
  if (offered.length === 0 && !isLost) return null;

  const askAgain = async () => {
    if (served.isFetching) return;
    const { isSuccess } = await served.refetch();
    if (isSuccess) setIsOpen(true);
    else toast({ title: "The tools could not be loaded", tone: "danger" });
  };
  const reason =
    model && !model.tools ? (model.id === DEEP_RESEARCH_MODEL_ID ? "Deep Research has its own tools" : "Tools not supported") : null;
  const isShown = isOpen && reason === null;
  if (isShown && !isUsed) setIsUsed(true);
  return (
    <>
      <PickerButton
        ref={setAnchor}
        text={!isLost ? toolCountText(categories.length) : served.isFetching ? "Loading tools..." : "Tools not loaded"}
        hint={isLost ? "The tools could not be loaded. Try again" : "Select tools"}
        reason={reason}
        searches={served.data?.categories.some(({ id, isAlwaysOn }) => id === "search" && isAlwaysOn) === true && reason === null}
        aria-haspopup="dialog"
        aria-expanded={isShown}
        onClick={() => (isLost ? void askAgain() : setIsOpen(!isOpen))}
      />
      {isUsed && anchor && (
        <ToolPickerPopup
          open={isShown}
          anchor={anchor}
          offered={offered}
          chosen={categories}
          onToggle={toggle}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
