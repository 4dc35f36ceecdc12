import { Button } from "#web/ui/button.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { CategorySection } from "./category-section.tsx";
import { CATEGORIES, toggled } from "./optional-categories.ts";
import { useChangePreferences, usePreferences } from "./use-preferences.ts";
import { useToolSettings } from "./use-tool-settings.ts";

/** Which tools new chats start with, and which of them may be used at all. Each switch holds at once. */
export function ToolsPane() {
  const preferences = usePreferences();
  const change = useChangePreferences();
  const { data, isError, refetch } = useToolSettings();
  const { defaultToolCategories: defaults } = preferences;
  if (isError && !data) {
    return (
      <div className="flex items-center gap-12 text-14 text-ink2">
        <p>The tools could not be loaded.</p>
        <Button size="sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  if (!data) return <PaneSkeleton />;
  return (
    <>
      <p aria-hidden className="border-b border-line pb-6 text-right text-12 font-medium text-ink2">
        In new chats
      </p>
      <div className="divide-y divide-line border-b border-line">
        {CATEGORIES.map((category) => (
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

function PaneSkeleton() {
  return (
    <div aria-hidden className="space-y-16">
      {CATEGORIES.map(({ id }) => (
        <Skeleton key={id} className="h-48 w-full" />
      ))}
    </div>
  );
}
