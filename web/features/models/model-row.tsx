import { Info } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Model } from "#shared/entities/model.ts";
import { cx } from "#web/ui/cx.ts";
import { ModelDetails } from "./model-details.tsx";
import { aboutLine } from "./model-facts.ts";
import { ModelOption, type ModelOptionProps } from "./model-option.tsx";

type ModelRowProps = Omit<ModelOptionProps, "describedBy" | "isTouch"> & { isUnfolded: boolean; onUnfold: () => void };

/**
 * One model in the drawer: its option, and a button that unfolds what the card tells on desktop.
 * A listbox holds options alone, so button and card are there for the finger; to screen readers each option is described by the same words.
 */
export function ModelRow({ isUnfolded, onUnfold, ...option }: ModelRowProps) {
  const { id, model } = option;
  return (
    <div className={cx("relative rounded-8", isUnfolded && "bg-s1 pb-4 dark:bg-s3")}>
      <ModelOption {...option} isTouch describedBy={`${id}-about`} />
      <span id={`${id}-about`} hidden>
        {aboutLine(model)}
      </span>
      <button
        type="button"
        aria-hidden
        tabIndex={-1}
        data-unfolds={model.id}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onUnfold}
        className={cx(
          "absolute top-6 right-0 flex size-44 items-center justify-center rounded-8 active:bg-s3",
          isUnfolded ? "text-accent" : "text-ink2",
        )}
      >
        <Info className="size-20" />
      </button>
      {isUnfolded && <Unfolded model={model} />}
    </div>
  );
}

function Unfolded({ model }: { model: Model }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A frame later the list has grown by it.
    const frame = requestAnimationFrame(() => box.current?.scrollIntoView({ block: "nearest" }));
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <div ref={box} aria-hidden data-model-card className="flex flex-col pr-12 pb-8 pl-54">
      <ModelDetails model={model} />
    </div>
  );
}
