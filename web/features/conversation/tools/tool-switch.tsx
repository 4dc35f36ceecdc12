import type { ToolSetting } from "#shared/entities/tool-setting.ts";
import type { ToolCategory } from "#shared/entities/tool-category.ts";
import { isToolEnabled, switchTool } from "#shared/tools/tool-rules.ts";
import { Button } from "#web/ui/button.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { presenterOf } from "./presenters/registry.ts";
import { useChangeToolSetting } from "./use-tool-settings.ts";

type ToolSwitchProps = { tool: string; category: ToolCategory; setting: ToolSetting | undefined };

/** One tool on or off; and for one that need not ask any more, the way back to asking. */
export function ToolSwitch({ tool, category, setting }: ToolSwitchProps) {
  const change = useChangeToolSetting();
  const name = presenterOf(tool).name;
  const isOn = isToolEnabled(setting);
  return (
    <li className="flex min-h-36 items-center gap-12 text-14 touch:min-h-44">
      <span className="min-w-0 flex-1">
        <span className="block truncate text-ink">{name}</span>
        {setting?.always_allowed && <span className="block text-13 text-ink2">Acts without asking</span>}
      </span>
      {setting?.always_allowed && (
        <Button
          variant="quiet"
          size="sm"
          aria-label={`Ask again before ‘${name}’`}
          onClick={() => change.mutate({ tool, patch: { always_allowed: false }, next: { ...setting, always_allowed: false } })}
        >
          Ask again
        </Button>
      )}
      <Switch
        label={name}
        checked={isOn}
        onChange={() => change.mutate({ tool, patch: { enabled: !isOn }, next: switchTool(category, setting, !isOn) })}
      />
    </li>
  );
}
