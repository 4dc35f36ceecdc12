import { useEffect, useState, type ComponentProps, useId } from "react";
import { ChevronDown, Globe, Wrench } from "lucide-react";
import { DEEP_RESEARCH_MODEL_ID } from "#shared/models/model-ids.ts";
import { useSelectedModel } from "#web/features/conversation/models/use-selected-model.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { preloadAtFirstSign } from "#web/ui/preload.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { Tooltip } from "#web/ui/toast/tooltip.tsx";
import { toolCountText } from "./optional-categories.ts";
import { useCategoriesQuery } from "./use-categories.ts";
import { useToolChoice } from "./use-tool-choice.ts";
import { useEver } from "#web/lib/use-ever.ts";

const ToolPickerPopup = lazyPart(async () => (await import("./tool-picker-popup.tsx")).default);

/** The composer's button that shows and changes which tools a chat's model may choose from (null: the chat to come). */
export function ToolPicker({ chatId }: { chatId: string | null }) {
  const [isOpen, setIsOpen] = useState(false);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { offered, categories, toggle } = useToolChoice(chatId);
  const { model } = useSelectedModel(chatId);
  useEffect(() => preloadAtFirstSign([ToolPickerPopup]), []);
  const served = useCategoriesQuery();
  // It is neither gone nor back while it is asked for again.
  const isLost = served.data === undefined && served.errorUpdateCount > 0;
  const reason =
    model && !model.tools ? (model.id === DEEP_RESEARCH_MODEL_ID ? "Deep Research has its own tools" : "Tools not supported") : null;
  const isShown = isOpen && reason === null;
  const isUsed = useEver(isShown);
  if (offered.length === 0 && !isLost) return null;

  const askAgain = async () => {
    if (served.isFetching) return;
    const { isSuccess } = await served.refetch();
    if (isSuccess) setIsOpen(true);
    else toast({ title: "The tools could not be loaded", tone: "danger" });
  };
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

type PickerButtonProps = ComponentProps<"button"> & {
  /** What is on; a number first where there is one. */
  text: string;
  /** What a press does. */
  hint: string;
  /** Why there is nothing to select; null where there is. It stays reachable, so the reason can be read. */
  reason: string | null;
  /** The web is searched whenever the model sees fit, whatever is on. */
  searches: boolean;
};

/** 'No tools', '1 tool', '3 tools'; on narrow phones the number alone is in sight. */
function PickerButton({ text, hint, reason, searches, onClick, ...rest }: PickerButtonProps) {
  const choiceId = useId();
  const [, number = "", noun] = /^(\d*)(.*)/.exec(text) ?? [];
  return (
    <Tooltip label={reason ?? hint}>
      <button
        type="button"
        {...rest}
        aria-label="Select tools"
        aria-describedby={choiceId}
        aria-disabled={reason !== null || undefined}
        onClick={(event) => (reason === null ? onClick?.(event) : event.preventDefault())}
        className="inline-flex h-32 min-w-0 shrink-0 items-center gap-8 rounded-8 px-8 text-13 text-ink2 transition-colors duration-120 hover:bg-s3 hover:text-ink aria-disabled:opacity-45 aria-disabled:hover:bg-transparent aria-expanded:bg-s3 aria-expanded:text-ink max-[520px]:gap-4 max-[520px]:px-6 touch:h-44"
      >
        {searches && <Globe aria-hidden className="size-14 text-ink3 max-[520px]:hidden" />}
        <Wrench aria-hidden className="size-16 touch:size-20" />
        <span id={choiceId} className="whitespace-nowrap tabular-nums">
          {number}
          <span className="max-[520px]:sr-only">{noun}</span>
          {reason !== null && <span className="sr-only">{`. ${reason}`}</span>}
        </span>
        <ChevronDown aria-hidden className="-ml-2 size-14 shrink-0 max-[520px]:hidden" />
      </button>
    </Tooltip>
  );
}
