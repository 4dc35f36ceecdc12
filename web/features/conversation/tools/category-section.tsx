import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import type { ToolSettings } from "#shared/entities/tool-setting.ts";
import type { ToolCategory } from "#shared/entities/tool-category.ts";
import { isToolEnabled } from "#shared/tools/tool-rules.ts";
import { ConnectedToolRow } from "#web/features/conversation/tools/connected-tool-row.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { cx } from "#web/ui/cx.ts";
import { Switch } from "#web/ui/switch.tsx";
import { CategoryIcon } from "./category-icon.tsx";
import { CategoryStateBadge } from "./category-state-badge.tsx";
import { ToolSwitch } from "./tool-switch.tsx";

type CategorySectionProps = {
  category: ToolCategory;
  settings: ToolSettings;
  /** True where new chats start with it. */
  isDefault: boolean;
  onDefault: () => void;
};

/** A category: how many of its tools are on, whether new chats start with it, and on a press its single tools. */
export function CategorySection({ category, settings, isDefault, onDefault }: CategorySectionProps) {
  const { id, name, description, icon, toolIds, isAlwaysOn, isDynamic, state, tools = [] } = category;
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();
  const enabled = toolIds.filter((tool) => isToolEnabled(settings[tool])).length;
  return (
    <section aria-label={name} className="py-8 @min-[600px]:py-0">
      <div className="relative flex items-center gap-12 pr-26">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setIsOpen(!isOpen)}
          className="group flex min-h-44 min-w-0 flex-1 items-start gap-10 rounded-8 py-4 text-left after:absolute after:inset-0 @min-[600px]:items-center"
        >
          <CategoryIcon name={icon} className="mt-2 size-16 text-ink2 @min-[600px]:mt-0" />
          <span className="min-w-0 flex-1 @min-[600px]:flex @min-[600px]:items-center @min-[600px]:gap-12">
            <span className="flex items-center gap-8 text-14 font-medium text-ink @min-[600px]:gap-12">
              <span className="line-clamp-2 min-w-0 break-words @min-[600px]:max-w-200 @min-[600px]:min-w-104">{name}</span>
              <Badge className="min-w-44 justify-center tabular-nums">
                {`${enabled}/${toolIds.length}`}
                <span className="sr-only"> tools on</span>
              </Badge>
              <CategoryStateBadge state={state} />
            </span>
            <span className="mt-2 block min-w-0 text-13 text-pretty text-ink2 @min-[600px]:mt-0 @min-[600px]:flex-1">{description}</span>
          </span>
          <ChevronRight
            aria-hidden
            className={cx(
              "absolute top-1/2 right-0 size-14 -translate-y-1/2 text-ink3 transition-transform duration-120 group-hover:text-ink",
              isOpen && "rotate-90",
            )}
          />
        </button>
        {isAlwaysOn ? (
          <span className="shrink-0 text-13 text-ink3">Always on</span>
        ) : (
          <span className="relative z-1 flex">
            <Switch label={`${name} in new chats`} checked={isDefault} onChange={onDefault} />
          </span>
        )}
      </div>
      <ul id={panelId} hidden={!isOpen} className="mt-4 pr-26 pb-8 pl-26 @min-[600px]:mt-0">
        {isOpen && tools.map((tool) => <ConnectedToolRow key={tool.id} tool={tool} setting={settings[tool.id]} />)}
        {isOpen &&
          !isDynamic &&
          toolIds.map((tool) => <ToolSwitch key={`${id} ${tool}`} tool={tool} category={category} setting={settings[tool]} />)}
      </ul>
    </section>
  );
}
