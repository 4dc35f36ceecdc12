import type { NamedTool } from "#shared/entities/tool-category.ts";
import type { ToolSetting } from "#shared/entities/tool-setting.ts";
import { Select } from "#web/ui/menu/select.tsx";
import { useChangeToolSetting } from "#web/features/conversation/tools/use-tool-settings.ts";

const CHOICES = [
  { value: "ask", label: "Ask" },
  { value: "always", label: "Always" },
  { value: "never", label: "Never" },
] as const;
type Choice = (typeof CHOICES)[number]["value"];

/** A tool of a connection: whether it asks before each call, never has to, or may not be used at all. */
export function ConnectedToolRow({
  tool: { id, name, description, asksFirst },
  setting,
}: {
  tool: NamedTool;
  setting: ToolSetting | undefined;
}) {
  const change = useChangeToolSetting();
  const choose = (choice: Choice) => {
    const patch = { enabled: choice !== "never", always_allowed: choice === "always" };
    change.mutate({ tool: id, patch, next: { is_always_on_override: setting?.is_always_on_override ?? false, ...patch } });
  };
  return (
    <li className="flex min-h-36 items-center gap-12 py-4 text-14 touch:min-h-44">
      <span className="min-w-0 flex-1">
        <span className="block truncate text-ink">{name}</span>
        <span className="line-clamp-2 text-13 text-ink2">{description}</span>
      </span>
      <Select label={`When ‘${name}’ may be used`} look="plain" value={choiceOf(setting, asksFirst)} options={CHOICES} onChange={choose} />
    </li>
  );
}

function choiceOf(setting: ToolSetting | undefined, asksFirst: boolean): Choice {
  if (setting === undefined) return asksFirst ? "ask" : "always";
  if (!setting.enabled) return "never";
  return setting.always_allowed ? "always" : "ask";
}
