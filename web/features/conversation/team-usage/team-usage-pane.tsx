import { ChevronLeft, ChevronRight, Download } from "lucide-react";
import { useState, type ReactNode } from "react";
import { downloadTeamUsage } from "#shared/contracts/account/team-usage.ts";
import type { Team } from "#shared/entities/team.ts";
import type { TeamUsage } from "#shared/entities/team-usage.ts";
import { TEAM_BUDGET_MAX } from "#shared/limits.ts";
import { usageDay, shareOf } from "#web/features/conversation/credits/usage-chart.ts";
import { modelName, useModels } from "#web/features/conversation/models/use-models.ts";
import { isKnownTool, presenterOf } from "#web/features/conversation/tools/presenters/registry.ts";
import { address } from "#web/lib/api.ts";
import { Button } from "#web/ui/button.tsx";
import { focusOnMount } from "#web/ui/focus.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Tab, TabList, Tabs } from "#web/ui/tabs.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { BudgetBar } from "./budget-bar.tsx";
import { budgetState, dollars, monthAfter, monthName, monthOf, percentOf, shortNumber } from "./usage-text.ts";
import { useSetBudgets, useTeamUsage } from "./use-team-usage.ts";
import { TryAgain } from "#web/ui/try-again.tsx";
import { dollarText, toDollars } from "#web/lib/dollars.ts";
import { cx } from "#web/ui/cx.ts";
import { fieldClass } from "#web/ui/text-field.tsx";

type By = "member" | "model" | "day";

/** What a team's chats cost in a month, and its budgets; for its admins. */
export function TeamUsagePane({ team, onBack }: { team: Team; onBack: () => void }) {
  const now = monthOf();
  const [month, setMonth] = useState(now);
  const [withToday, setWithToday] = useState(false);
  const { data, isError, error, refetch, isFetching } = useTeamUsage(team.id, month, withToday);
  const usage = data?.usage ?? null;
  const turn = (months: number) => {
    setMonth(monthAfter(month, months));
    setWithToday(false);
  };
  return (
    <>
      <div className="flex min-h-32 shrink-0 items-center gap-8 px-20 pt-12 min-[768px]:pt-18 min-[768px]:pr-56 min-[768px]:pb-4 desk:pl-24">
        <IconButton
          ref={focusOnMount}
          label={`Back to ${team.name}`}
          icon={ChevronLeft}
          tooltip={false}
          className="-ml-8 shrink-0"
          onClick={onBack}
        />
        <h3 className="min-w-0 truncate font-serif text-21 text-ink">Usage</h3>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-20 pb-20 desk:px-24">
        <div className="flex flex-wrap items-center gap-x-8">
          <IconButton label="Month before" icon={ChevronLeft} size="sm" className="-ml-8" onClick={() => turn(-1)} />
          <p aria-live="polite" className="min-w-128 text-center text-14 font-medium text-ink">
            {monthName(month)}
          </p>
          <IconButton label="Month after" icon={ChevronRight} size="sm" disabled={month >= now} onClick={() => turn(1)} />
          <a
            href={address(downloadTeamUsage, { params: { id: team.id }, query: { month } })}
            download
            className="ml-auto inline-flex items-center gap-6 rounded-6 text-13 text-ink2 hover:text-ink touch:min-h-44"
          >
            <Download aria-hidden className="size-14" />
            Download CSV
          </a>
        </div>
        {usage ? (
          <>
            <Sum usage={usage} isOpen={month === now} isBusy={isFetching} onToday={() => setWithToday(true)} />
            <Budgets team={team} usage={usage} />
            <Lists team={team} usage={usage} />
          </>
        ) : isError ? (
          <div role="alert" className="mt-16 flex flex-wrap items-center gap-12 text-13 text-ink2">
            <p className="min-w-0 flex-1">The usage could not be loaded. {error.message}</p>
            <TryAgain busy={isFetching} onClick={() => void refetch()} />
          </div>
        ) : (
          <div aria-busy className="mt-20 space-y-20">
            {["w-1/2", "w-full", "w-5/6", "w-3/4", "w-2/3"].map((width) => (
              <Skeleton key={width} className={`h-14 ${width}`} />
            ))}
          </div>
        )}
      </div>
    </>
  );
}

type SumProps = { usage: TeamUsage; isOpen: boolean; isBusy: boolean; onToday: () => void };

function Sum({ usage: { total, withToday, budgets }, isOpen, isBusy, onToday }: SumProps) {
  const budget = isOpen ? budgets.team : null;
  const state = budgetState({ spent: total.cost, budget });
  const until = isOpen ? (withToday ? ", today included" : " up to yesterday (UTC)") : "";
  return (
    <div className="mt-12">
      <div className="flex min-h-32 flex-wrap items-center gap-x-12">
        <p className="text-14 text-ink2 tabular-nums">
          <span className="text-18 font-medium text-ink">{dollars(total.cost)}</span>
          {` in ${shortNumber(total.calls)} ${total.calls === 1 ? "call" : "calls"}${until}.`}
        </p>
        {isOpen && !withToday && (
          <Button size="sm" className="ml-auto" busy={isBusy} onClick={onToday}>
            Add today
          </Button>
        )}
      </div>
      {budget !== null && (
        <>
          <BudgetBar spent={total.cost} budget={budget} className="mt-8" />
          <p role={state === "fine" ? undefined : "status"} className="mt-6 text-13 text-ink2 tabular-nums">
            {state === "over"
              ? `The team's budget of ${dollars(budget)} a month is used up. Nobody is kept from working by it.`
              : `${percentOf(total.cost, budget)} % of the team's ${dollars(budget)} a month.`}
          </p>
        </>
      )}
    </div>
  );
}

/** Says that a budget was not kept. */
function notify(error: Error): void {
  toast({ title: "Failed to change the budget", description: error.message, tone: "danger" });
}

function Budgets({ team, usage: { budgets } }: { team: Team; usage: TeamUsage }) {
  const set = useSetBudgets(team.id);
  const save = (body: Parameters<typeof set.mutate>[0], done: () => void) => set.mutate(body, { onSuccess: done, onError: notify });
  return (
    <section aria-labelledby="team-budgets" className="mt-24">
      <h4 id="team-budgets" className="flex h-28 items-center text-13 font-medium text-ink">
        Budgets a month
      </h4>
      <div className="flex min-h-48 items-center gap-16 py-4">
        <p className="min-w-0 flex-1 text-14 text-ink">
          Each member
          <span className="block text-12 text-ink2">Warned at 80 %; at 100 % this team's chats wait for the next month</span>
        </p>
        <BudgetField
          label="Budget of each member in US dollars a month"
          budget={budgets.each}
          placeholder="None"
          isBusy={set.isPending}
          onChange={(each, done) => save({ each }, done)}
        />
      </div>
      <div className="flex min-h-48 items-center gap-16 py-4">
        <p className="min-w-0 flex-1 text-14 text-ink">
          The whole team
          <span className="block text-12 text-ink2">Only warns the team's admins</span>
        </p>
        <BudgetField
          label="Budget of the whole team in US dollars a month"
          budget={budgets.team}
          placeholder="None"
          isBusy={set.isPending}
          onChange={(whole, done) => save({ team: whole }, done)}
        />
      </div>
    </section>
  );
}

function toBy(value: string): By {
  return value === "model" || value === "day" ? value : "member";
}

function Lists({ team, usage }: { team: Team; usage: TeamUsage }) {
  const [by, setBy] = useState<By>("member");
  return (
    <section aria-label="Spending" className="mt-16">
      <Tabs value={by} onValueChange={(next) => setBy(toBy(next))}>
        <TabList label="Group usage" className="flex border-b border-line">
          <Tab value="member">By member</Tab>
          <Tab value="model">By model</Tab>
          <Tab value="day">By day</Tab>
        </TabList>
      </Tabs>
      {by === "member" ? (
        <Members team={team} usage={usage} />
      ) : usage.total.calls === 0 ? (
        <p className="py-16 text-13 text-ink2">{`Nothing was spent in the team's chats in ${monthName(usage.month)}.`}</p>
      ) : by === "model" ? (
        <ModelRows usage={usage} />
      ) : (
        <UsageRows label="Spending by day" lines={usage.days.map((row) => ({ key: row.day, label: usageDay(row.day), ...row }))} />
      )}
    </section>
  );
}

function Members({ team, usage: { members, budgets } }: { team: Team; usage: TeamUsage }) {
  const set = useSetBudgets(team.id);
  const lines = members.map(({ user_id: userId, name, isFormer, budget, ...amounts }) => ({
    key: userId,
    ...amounts,
    label: (
      <>
        {name}
        {isFormer && <span className="text-ink2"> (former member)</span>}
      </>
    ),
    control: isFormer ? (
      <span aria-hidden className="w-104 shrink-0" />
    ) : (
      <BudgetField
        label={`Budget of ${name} in US dollars a month`}
        budget={budget}
        placeholder={budgets.each === null ? "None" : budgets.each.toFixed(2)}
        isBusy={set.isPending}
        onChange={(own, done) => set.mutate({ member: { userId, budget: own } }, { onSuccess: done, onError: notify })}
      />
    ),
  }));
  return <UsageRows label="Spending by member" lines={lines} controls="Own budget a month" />;
}

function ModelRows({ usage }: { usage: TeamUsage }) {
  const models = useModels().data?.models;
  const lines = usage.models.map(({ model_id: id, ...amounts }) => ({
    key: id,
    ...amounts,
    // Tools of services that charge stand among the models.
    label: isKnownTool(id) ? presenterOf(id).name : modelName(models, id),
  }));
  return <UsageRows label="Spending by model" lines={lines} />;
}

type BudgetFieldProps = {
  /** What is read out. */
  label: string;
  /** US dollars a month; null for none. */
  budget: number | null;
  placeholder: string;
  isBusy: boolean;
  /** Called with what was typed, once it is an amount or empty; answers whether it was kept. */
  onChange: (budget: number | null, done: () => void) => void;
};

/** A budget of a month, kept with Enter or on leaving the field; empty takes it away. */
function BudgetField({ label, budget, placeholder, isBusy, onChange }: BudgetFieldProps) {
  const [text, setText] = useState<string | null>(null);
  const [isRefused, setRefused] = useState(false);
  const shown = text ?? (budget === null ? "" : dollarText(budget));
  const keep = () => {
    if (text === null || isBusy) return;
    const amount = text.trim() === "" ? null : toDollars(text);
    if (text.trim() !== "" && (amount === null || amount > TEAM_BUDGET_MAX)) {
      setRefused(true);
      const most = TEAM_BUDGET_MAX.toLocaleString("en");
      return void toast({ title: "Give an amount in US dollars, such as 20", description: `At most $${most} a month.`, tone: "danger" });
    }
    if (amount === budget) return setText(null);
    onChange(amount, () => setText(null));
  };
  return (
    <form
      noValidate
      className="relative w-104 shrink-0"
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
    >
      <span aria-hidden className="pointer-events-none absolute top-1/2 left-10 -translate-y-1/2 text-13 text-ink2">
        $
      </span>
      <input
        aria-label={label}
        aria-invalid={isRefused || undefined}
        inputMode="decimal"
        autoComplete="off"
        placeholder={placeholder}
        value={shown}
        onBlur={keep}
        onChange={(event) => {
          setText(event.target.value);
          setRefused(false);
        }}
        className={cx(fieldClass, "h-32 pl-22! text-right text-13 tabular-nums touch:h-44 touch:text-16")}
      />
    </form>
  );
}

type UsageLine = { key: string; label: ReactNode; cost: number; calls: number; tokens: number; control?: ReactNode };

/** What was spent under each of several names, with bars of one scale; `controls` names what stands at the rows' ends. */
function UsageRows({ lines, label, controls }: { lines: readonly UsageLine[]; label: string; controls?: string }) {
  const most = Math.max(...lines.map(({ cost }) => cost), 0);
  return (
    <>
      {controls && (
        <p aria-hidden className="pt-8 text-right text-12 text-ink2">
          {controls}
        </p>
      )}
      <ul aria-label={label} className="divide-y divide-line">
        {lines.map(({ key, label: name, cost, calls, tokens, control }) => (
          <li key={key} className="flex min-h-48 items-center gap-12 py-6">
            <div className="min-w-0 flex-1">
              <p className="flex items-baseline gap-8 text-13">
                <span className="min-w-0 flex-1 truncate text-ink">{name}</span>
                <span className="shrink-0 text-12 text-ink2 tabular-nums max-[479px]:hidden">
                  {`${shortNumber(calls)} ${calls === 1 ? "call" : "calls"}, ${shortNumber(tokens)} tokens`}
                </span>
                <span className="w-64 shrink-0 text-right text-ink tabular-nums">{dollars(cost)}</span>
              </p>
              <span aria-hidden className="mt-5 block h-6 rounded-full bg-s3">
                <span className="block h-6 rounded-full bg-accent" style={{ width: `${shareOf(cost, most)}%` }} />
              </span>
            </div>
            {control}
          </li>
        ))}
      </ul>
    </>
  );
}
