import { Check } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { moveHighlight } from "#web/features/models/list-keys.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { useSettings } from "#web/features/settings/use-settings.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { CategoryIcon } from "./category-icon.tsx";
import { OPTIONAL_CATEGORIES } from "./optional-categories.ts";

type ToolPickerListProps = {
  /** The ids of the categories that are on. */
  chosen: readonly string[];
  isTouch: boolean;
  onToggle: (id: string) => void;
  onClose: () => void;
};

/** The optional categories, each on or off, and what is used without asking. */
export function ToolPickerList({ chosen, isTouch, onToggle, onClose }: ToolPickerListProps) {
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const [activeIndex, setActiveIndex] = useState(0);
  const { user } = useSession();
  const settings = useSettings();
  const optionId = (index: number) => `${listId}-${OPTIONAL_CATEGORIES[index]?.id}`;

  const onKeyDown = (event: KeyboardEvent) => {
    const category = OPTIONAL_CATEGORIES[activeIndex];
    if ((event.key === " " || event.key === "Enter") && category) {
      event.preventDefault();
      return onToggle(category.id);
    }
    const next = moveHighlight(event.key, activeIndex, OPTIONAL_CATEGORIES.length);
    if (next === null) return undefined;
    event.preventDefault();
    list.current?.children[next]?.scrollIntoView({ block: "nearest" });
    return setActiveIndex(next);
  };
  return (
    <>
      <div
        ref={list}
        id={listId}
        // A list of check marks is no select element.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="listbox"
        tabIndex={0}
        aria-label="Tools"
        aria-multiselectable
        aria-activedescendant={optionId(activeIndex)}
        onKeyDown={onKeyDown}
        className={cx(
          "group/list overflow-y-auto overscroll-contain rounded-t-14 outline-offset-[-2px]",
          isTouch ? "px-8 py-4" : "max-h-320 p-6",
        )}
      >
        {OPTIONAL_CATEGORIES.map((category, index) => {
          const isOn = chosen.includes(category.id);
          return (
            // Its keys are the list's, which keeps the focus.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={category.id}
              id={optionId(index)}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
              role="option"
              tabIndex={-1}
              aria-selected={isOn}
              aria-describedby={`${optionId(index)}-about`}
              aria-label={category.name}
              onMouseDown={(event) => event.preventDefault()}
              onPointerMove={() => setActiveIndex(index)}
              onClick={() => onToggle(category.id)}
              className={cx(
                "flex cursor-default items-start gap-10 rounded-8 select-none",
                isTouch ? "min-h-56 px-12 py-8" : "px-10 py-8",
                index === activeIndex && "bg-highlight touch:bg-transparent",
              )}
            >
              <CategoryIcon name={category.icon} className="mt-2 size-16 text-ink2" />
              <span className="min-w-0 flex-1">
                <span className="block text-14 text-ink">{category.name}</span>
                <span id={`${optionId(index)}-about`} className="block text-12 text-ink2">
                  {category.description}
                </span>
              </span>
              <Tick isOn={isOn} />
            </div>
          );
        })}
      </div>
      <div className={cx("border-t border-line text-12 text-ink2", isTouch ? "mx-20 py-12" : "px-16 py-10")}>
        <p>Web search, artifact and to-do tools are used automatically at the agent's discretion.</p>
        {user && !user.anonymous && (
          <Button
            variant="quiet"
            size="sm"
            className="mt-4 -ml-12"
            onClick={() => {
              onClose();
              settings.open("tools");
            }}
          >
            Tool settings
          </Button>
        )}
      </div>
    </>
  );
}

function Tick({ isOn }: { isOn: boolean }) {
  return (
    <span
      aria-hidden
      className={cx(
        "mt-2 inline-flex size-16 shrink-0 items-center justify-center rounded-[4px] border transition-colors duration-120",
        isOn ? "border-accent bg-accent" : "border-line-strong bg-s2",
      )}
    >
      {isOn && <Check aria-hidden className="size-12 text-accent-ink [stroke-width:2.4]!" />}
    </span>
  );
}
