import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import type { ToolSettings } from "#shared/entities/tool-setting.ts";
import type { ToolCategory } from "#shared/entities/tool-category.ts";
import { isToolEnabled } from "#shared/tools/tool-rules.ts";
import { ConnectedToolRow } from "#web/features/mcp/connected-tool-row.tsx";
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
    <section aria-label={name} className="py-8">
      <div className="flex items-center gap-12">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setIsOpen(!isOpen)}
          className="group flex min-h-44 min-w-0 flex-1 items-start gap-10 rounded-8 py-4 text-left"
        >
          <CategoryIcon name={icon} className="mt-2 size-16 text-ink2" />
          <span className="min-w-0 flex-1">
            <span className="flex items-center gap-8 text-14 font-medium text-ink">
              {name}
              <Badge className="tabular-nums">
                {`${enabled}/${toolIds.length}`}
                <span className="sr-only"> tools on</span>
              </Badge>
              <CategoryStateBadge state={state} />
              <ChevronRight
                aria-hidden
                className={cx("size-14 text-ink3 transition-transform duration-120 group-hover:text-ink", isOpen && "rotate-90")}
              />
            </span>
            <span className="mt-2 block text-13 text-pretty text-ink2">{description}</span>
          </span>
        </button>
        {isAlwaysOn ? (
          <span className="shrink-0 text-13 text-ink3">Always on</span>
        ) : (
          <Switch label={`${name} in new chats`} checked={isDefault} onChange={onDefault} />
        )}
      </div>
      <ul id={panelId} hidden={!isOpen} className="mt-4 pb-4 pl-26">
        {isOpen && tools.map((tool) => <ConnectedToolRow key={tool.id} tool={tool} setting={settings[tool.id]} />)}
        {isOpen &&
          !isDynamic &&
          toolIds.map((tool) => <ToolSwitch key={`${id} ${tool}`} tool={tool} category={category} setting={settings[tool]} />)}
      </ul>
    </section>
  );
}
