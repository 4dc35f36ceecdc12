import type { ToolCategory } from "#shared/entities/tool-category.ts";
import { LoadFailure } from "#web/features/people/session/load-failure.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { CategorySection } from "./category-section.tsx";
import { toggled } from "./optional-categories.ts";
import { useCategoriesQuery } from "./use-categories.ts";
import { useChangePreferences, usePreferences } from "./use-preferences.ts";
import { useToolSettings } from "./use-tool-settings.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

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
