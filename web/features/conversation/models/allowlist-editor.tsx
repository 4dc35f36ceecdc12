import { Search } from "lucide-react";
import { useRef, useState, useId } from "react";
import { Virtualizer } from "virtua";
import { useMutation } from "@tanstack/react-query";
import type { Model, AllowedModel } from "#shared/entities/model.ts";
import { AUTO_MODEL_ID } from "#shared/models/model-ids.ts";
import { nameWithoutVendor } from "#shared/models/model-names.ts";
import { putAllowlist } from "#shared/contracts/account/users.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { fieldClass } from "#web/ui/text-field.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { ModelTile } from "#web/ui/model-tile.tsx";
import { changeSessionUser, refreshSession, type SessionAnswer, useSession } from "#web/features/people/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toastFailure } from "#web/ui/toast/toast.tsx";
import { ListNotice } from "./list-notice.tsx";
import { listStatus } from "./list-status.ts";
import { searchModels } from "./selector-models.ts";
import { tickShown, toggleTick, type Ticks, allowlistOf, isSameTicks, ticksOf } from "./ticks.ts";
import { useModels } from "./use-models.ts";
import { ProBadge, TurboIcon } from "./model-badges.tsx";
import { factLine, factsOf } from "./model-facts.ts";

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
        <Button variant="quiet" size="sm" disabled={shown.length === 0} onClick={() => change(tickShown(ticks, shown, true))}>
          Select all
        </Button>
        <Button variant="quiet" size="sm" disabled={shown.length === 0} onClick={() => change(tickShown(ticks, shown, false))}>
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

/** The columns that head and rows share. */
const COLUMNS = "grid-cols-[minmax(0,1fr)] items-center desk:grid-cols-[minmax(0,1fr)_88px_140px]";

type AllowlistRowProps = { model: Model; isTicked: boolean; onTurn: () => void };

/** One model of the allowlist editor: a tick, what it is, and its figures; the whole row is the tick's label. */
function AllowlistRow({ model, isTicked, onTurn }: AllowlistRowProps) {
  const id = useId();
  const isAuto = model.id === AUTO_MODEL_ID;
  const name = nameWithoutVendor(model.name);
  const { context, input, output } = factsOf(model);
  const prices = input === output ? input : `${input} / ${output}`;
  return (
    <label htmlFor={id} className={`grid ${COLUMNS} h-56 rounded-8 px-8 hover:bg-s3 desk:h-40`}>
      <span className="flex min-w-0 items-center gap-12">
        <Checkbox
          id={id}
          checked={isTicked}
          aria-disabled={isAuto || undefined}
          aria-label={name}
          aria-describedby={`${id}-facts`}
          onChange={onTurn}
        />
        <ModelTile id={model.id} name={name} />
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-8 text-14">
            <span className="truncate text-ink">{name}</span>
            {model.isPro && <ProBadge />}
            {model.isTurbo && <TurboIcon model={model} />}
            <span className="hidden truncate text-13 text-ink2 desk:block">{isAuto ? "Chosen for each message" : model.provider}</span>
          </span>
          <span id={`${id}-facts`} className="block truncate text-13 text-ink2 tabular-nums desk:sr-only">
            {factLine(model)}
          </span>
        </span>
      </span>
      <span className="hidden text-right text-13 text-ink2 tabular-nums desk:block">{isAuto ? "" : context}</span>
      <span className="hidden text-right text-13 text-ink2 tabular-nums desk:block">{isAuto ? "" : prices}</span>
    </label>
  );
}

/** The list that holds when no change on its way is saved. */
let stored: AllowedModel[] | null = null;

/** The ticks of the allowlist: each change is saved at once and the selector follows it; `undo` takes the last one of this visit back. */
function useTicks(models: readonly AllowedModel[]) {
  const { user } = useSession();
  const [wanted, setWanted] = useState<Ticks | null>(null);
  const [earlier, setEarlier] = useState<readonly Ticks[]>([]);
  const save = useMutation({
    mutationKey: keys.allowlist,
    scope: { id: "allowlist" },
    mutationFn: (allowlist: AllowedModel[] | null) => call(putAllowlist, { body: { model_allowlist: allowlist } }),
    onMutate: (allowlist) => {
      // From the cache: what was drawn last may be older than the answer to the change before.
      if (isLast()) stored = queryClient.getQueryData<SessionAnswer>(keys.session)?.user?.model_allowlist ?? null;
      changeSessionUser({ model_allowlist: allowlist });
    },
    onSuccess: (saved) => {
      stored = saved.model_allowlist;
      if (isLast()) changeSessionUser(saved);
    },
    onError: (error) => {
      toastFailure("The models were not saved", error);
      setEarlier([]);
      if (!isLast()) return;
      changeSessionUser({ model_allowlist: stored });
      void refreshSession();
    },
    onSettled: () => {
      if (isLast()) setWanted(null);
    },
  });
  const ticks = wanted ?? ticksOf(user?.model_allowlist ?? null, models);
  const store = (next: Ticks) => {
    setWanted(next);
    save.mutate(allowlistOf(next, models));
  };
  const last = earlier.at(-1);
  return {
    ticks,
    change: (next: Ticks) => {
      if (isSameTicks(next, ticks)) return;
      setEarlier([...earlier, ticks]);
      store(next);
    },
    undo: last
      ? () => {
          setEarlier(earlier.slice(0, -1));
          store(last);
        }
      : null,
  };
}

/** True while no later change waits to be saved: what the server says of an earlier one is out of date. */
function isLast(): boolean {
  return queryClient.isMutating({ mutationKey: keys.allowlist }) === 1;
}
