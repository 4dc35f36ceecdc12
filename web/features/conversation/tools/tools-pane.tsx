import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { ToolCategory, NamedTool } from "#shared/entities/tool-category.ts";
import type { ToolSettings, ToolSetting } from "#shared/entities/tool-setting.ts";
import { isToolEnabled, switchTool } from "#shared/tools/tool-rules.ts";
import { getToolSettings, putToolSettings, type ToolSettingPatch } from "#shared/contracts/tools.ts";
import { LoadFailure } from "#web/features/people/session/load-failure.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { toggled } from "./optional-categories.ts";
import { useCategoriesQuery } from "./use-categories.ts";
import { useChangePreferences, usePreferences } from "./use-preferences.ts";
import { TryAgain } from "#web/ui/try-again.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { cx } from "#web/ui/cx.ts";
import { Switch } from "#web/ui/switch.tsx";
import { Select } from "#web/ui/menu/select.tsx";
import { Button } from "#web/ui/button.tsx";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toastFailure } from "#web/ui/toast/toast.tsx";
import { CategoryIcon } from "./category-icon.tsx";
import { CategoryStateBadge } from "./category-state-badge.tsx";
import { presenterOf } from "./presenters/registry.ts";

/** Which tools new chats start with, and which of them may be used at all. Each switch holds at once. */
export function ToolsPane() {
  const { data: served, isError: isUnserved, error: unserved, refetch: ask } = useCategoriesQuery();
  const categories = served?.categories ?? [];
  const preferences = usePreferences();
  const change = useChangePreferences();
  const { data, isError, error, refetch } = useToolSettings();
  const { defaultToolCategories: defaults } = preferences;
  if ((isError && !data) || (isUnserved && !served)) {
    return (
      <div className="flex flex-wrap items-center gap-x-12 gap-y-4 text-13 text-ink2">
        <LoadFailure text="The tools could not be loaded." error={unserved ?? error} />
        <TryAgain onClick={() => void Promise.all([refetch(), ask()])} />
      </div>
    );
  }
  if (!data || categories.length === 0) return <PaneSkeleton rows={categories.length === 0 ? PLACEHOLDERS : categories} />;
  return (
    <>
      <ColumnHead />
      <div className="@container divide-y divide-line border-b border-line">
        {categories.map((category) => (
          <CategorySection
            key={category.id}
            category={category}
            settings={data.settings}
            isDefault={defaults.includes(category.id)}
            onDefault={() => change.mutate({ ...preferences, defaultToolCategories: toggled(defaults, category.id) })}
          />
        ))}
      </div>
    </>
  );
}

function ColumnHead() {
  return (
    <p aria-hidden className="flex justify-between border-b border-line pr-26 pb-6 text-12 font-medium text-ink2">
      <span>Category</span>
      <span>In new chats</span>
    </p>
  );
}

type SkeletonRow = Pick<ToolCategory, "name" | "description" | "isAlwaysOn">;

/** Unseen words of the length that the built-in categories' have, so they wrap as those will. */
const PLACEHOLDERS: readonly SkeletonRow[] = [
  { name: "Web search", description: "Searches the web and reads pages and images too.", isAlwaysOn: true },
  { name: "Todo list", description: "Keeps a list of all that is to be done in here.", isAlwaysOn: true },
  { name: "Synthesis", description: "Asks several models and tells where they agree and differ.", isAlwaysOn: false },
  { name: "Truth seeker", description: "Drafts an answer, has another model check it, refines it.", isAlwaysOn: false },
];

function PaneSkeleton({ rows }: { rows: readonly SkeletonRow[] }) {
  return (
    <>
      <ColumnHead />
      <div aria-hidden className="@container divide-y divide-line border-b border-line">
        {rows.map(({ name, description, isAlwaysOn }) => (
          <div key={name} className="flex items-center gap-12 py-8 pr-26 @min-[600px]:py-0">
            <div className="min-h-44 min-w-0 flex-1 py-4 pl-26 @min-[600px]:flex @min-[600px]:items-center @min-[600px]:gap-68">
              <p className="text-14 font-medium @min-[600px]:w-104">
                <Covered>{name}</Covered>
              </p>
              <p className="mt-2 min-w-0 text-13 @min-[600px]:mt-0 @min-[600px]:flex-1">
                <Covered>{description}</Covered>
              </p>
            </div>
            {isAlwaysOn ? <span className="invisible shrink-0 text-13">Always on</span> : <Skeleton className="h-20 w-34 shrink-0" />}
          </div>
        ))}
      </div>
    </>
  );
}

function Covered({ children }: { children: string }) {
  return (
    <span className="rounded-6 bg-s3 box-decoration-clone">
      <span className="invisible">{children}</span>
    </span>
  );
}

type CategorySectionProps = {
  category: ToolCategory;
  settings: ToolSettings;
  /** True where new chats start with it. */
  isDefault: boolean;
  onDefault: () => void;
};

/** A category: how many of its tools are on, whether new chats start with it, and on a press its single tools. */
function CategorySection({ category, settings, isDefault, onDefault }: CategorySectionProps) {
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

const CHOICES = [
  { value: "ask", label: "Ask" },
  { value: "always", label: "Always" },
  { value: "never", label: "Never" },
] as const;
type Choice = (typeof CHOICES)[number]["value"];

/** A tool of a connection: whether it asks before each call, never has to, or may not be used at all. */
function ConnectedToolRow({ tool: { id, name, description, asksFirst }, setting }: { tool: NamedTool; setting: ToolSetting | undefined }) {
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

type ToolSwitchProps = { tool: string; category: ToolCategory; setting: ToolSetting | undefined };

/** One tool on or off; and for one that need not ask any more, the way back to asking. */
function ToolSwitch({ tool, category, setting }: ToolSwitchProps) {
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

type SettingsAnswer = { settings: ToolSettings };

/** What this person set about single tools. */
function useToolSettings() {
  return useQuery<SettingsAnswer>({
    queryKey: keys.toolSettings,
    queryFn: ({ signal }) => call(getToolSettings, {}, { signal }),
    staleTime: lifetimes.short,
  });
}

type Change = { tool: string; patch: ToolSettingPatch; next: ToolSetting };

/** Changes one tool's setting: seen at once, and taken back with the reason where saving fails. */
function useChangeToolSetting() {
  return useMutation({
    mutationKey: keys.toolSettings,
    scope: { id: "tool-settings" },
    mutationFn: ({ tool, patch }: Change) => call(putToolSettings, { body: { settings: { [tool]: patch } } }),
    onMutate: async ({ tool, next }) => {
      await queryClient.cancelQueries({ queryKey: keys.toolSettings });
      const before = queryClient.getQueryData<SettingsAnswer>(keys.toolSettings)?.settings[tool];
      setSetting(tool, next);
      return { before };
    },
    onError: (error, { tool }, context) => {
      setSetting(tool, context?.before);
      toastFailure("The tool was not changed", error);
    },
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey: keys.toolSettings }) === 1) {
        void queryClient.invalidateQueries({ queryKey: keys.toolSettings });
      }
    },
  });
}

function setSetting(tool: string, setting: ToolSetting | undefined): void {
  queryClient.setQueryData<SettingsAnswer>(keys.toolSettings, (held) => {
    const others = Object.entries(held?.settings ?? {}).filter(([id]) => id !== tool);
    return { settings: Object.fromEntries(setting ? [...others, [tool, setting]] : others) };
  });
}
