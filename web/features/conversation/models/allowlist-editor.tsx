import { Search } from "lucide-react";
import { useRef, useState } from "react";
import { Virtualizer } from "virtua";
import type { Model } from "#shared/entities/model.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { fieldClass } from "#web/ui/text-field.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { AllowlistRow, COLUMNS } from "./allowlist-row.tsx";
import { ListNotice } from "./list-notice.tsx";
import { listStatus } from "./list-status.ts";
import { searchModels } from "./selector-models.ts";
import { setTicks, toggleTick } from "./ticks.ts";
import { useModels } from "./use-models.ts";
import { useTicks } from "./use-ticks.ts";

/** Rows kept beyond the edges: catalogues of a few dozen are wholly there. */
const BUFFER_PX = 5_000;
const NONE: readonly Model[] = [];

/** Which models appear in the selector (Settings > Models); each tick holds at once. It fills the height it is given; its list is never lower than 192 px. */
export function AllowlistEditor() {
  const catalogue = useModels();
  const scroller = useRef<HTMLDivElement>(null);
  const isMobile = useIsMobile();
  const [query, setQuery] = useState("");
  const models = catalogue.data?.models ?? NONE;
  const { ticks, change, undo } = useTicks(models);
  const shown = searchModels(models, query);

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center justify-end gap-x-8 gap-y-4 px-20 desk:px-24">
        <div className="relative shrink-0 grow basis-full desk:basis-0">
          <Search aria-hidden className="pointer-events-none absolute top-1/2 left-11 size-16 -translate-y-1/2 text-ink2" />
          <input
            type="search"
            aria-label="Search models"
            placeholder="Search models..."
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            className={cx(fieldClass, "h-36 pl-34 text-14 touch:h-44 touch:text-16")}
          />
        </div>
        <Button variant="quiet" size="sm" disabled={shown.length === 0} onClick={() => change(setTicks(ticks, shown, true))}>
          Select all
        </Button>
        <Button variant="quiet" size="sm" disabled={shown.length === 0} onClick={() => change(setTicks(ticks, shown, false))}>
          Clear
        </Button>
      </div>
      <div className="shrink-0 desk:px-4">
        <ListNotice
          status={listStatus(catalogue)}
          count={models.length}
          matches={shown.length}
          onRetry={() => void catalogue.refetch()}
          onClear={() => setQuery("")}
        />
      </div>
      <div
        ref={scroller}
        className="min-h-192 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain py-4 desk:scroll-pt-40 desk:pt-0 desk:mt-8"
      >
        <div className="beneath-bar px-20 desk:px-24">
          <div
            aria-hidden
            className={`${COLUMNS} sticky top-0 z-1 mb-4 hidden h-32 border-b border-line bg-s2 px-8 text-12 font-medium text-ink2 desk:grid`}
          >
            <span className="pl-28">Model</span>
            <span className="text-right">Context</span>
            <span className="text-right">In / out per 1M</span>
          </div>
          <Virtualizer as="ul" item="li" scrollRef={scroller} bufferSize={BUFFER_PX} itemSize={isMobile ? 56 : 40}>
            {shown.map((model) => (
              <AllowlistRow
                key={model.id}
                model={model}
                isTicked={ticks.has(model.id)}
                onTurn={() => change(toggleTick(ticks, model.id))}
              />
            ))}
          </Virtualizer>
        </div>
      </div>
      <div className="flex shrink-0 flex-wrap items-center justify-end gap-8 border-t border-line px-20 desk:px-24 py-12">
        <p role="status" className="mr-auto text-13 text-ink2 tabular-nums">
          {models.length > 0 && `${ticks.size} of ${models.length} models selected`}
        </p>
        <Button disabled={undo === null} onClick={undo ?? undefined}>
          Undo
        </Button>
      </div>
    </div>
  );
}
