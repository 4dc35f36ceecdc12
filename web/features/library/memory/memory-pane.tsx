import { Import, Plus, Search } from "lucide-react";
import { useState } from "react";
import type { Memory, MemoryImport } from "#shared/entities/memory.ts";
import type { User } from "#shared/entities/user.ts";
import { useSaveUser } from "#web/features/people/session/use-save-user.ts";
import { SubPane } from "#web/features/people/settings/sub-pane.tsx";
import { useSettings } from "#web/features/people/settings/use-settings.ts";
import { counted } from "#web/lib/format.ts";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { RowSkeletons } from "#web/ui/row-skeletons.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { fieldClass } from "#web/ui/text-field.tsx";
import { takeWanted } from "./wanted-memory.ts";
import { MemoryField } from "./memory-field.tsx";
import { MemoryRow } from "./memory-row.tsx";
import { useChangeMemories, useMemories } from "./use-memories.ts";
import { importReport } from "#shared/memory-import.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

/** What models know of their person: every fact seen, found, changed and forgotten. */
export default function MemoryPane({ user }: { user: User }) {
  const settings = useSettings();
  const { data, isPending, isError, refetch } = useMemories();
  const { add, forgetAll } = useChangeMemories();
  const [wanted] = useState(takeWanted);
  const [query, setQuery] = useState("");
  const [adding, setAdding] = useState<string | null>(null);
  const [asks, setAsks] = useState(false);
  // What was forgotten here stays with its Undo until the pane closes.
  const [forgottenHere, setForgottenHere] = useState<readonly Memory[]>([]);
  const known = data?.memories ?? [];
  const shown = [...known, ...forgottenHere.filter(({ id }) => known.every((fact) => fact.id !== id))]
    .filter(({ text }) => text.toLowerCase().includes(query.trim().toLowerCase()))
    .toSorted((a, b) => b.created_at.localeCompare(a.created_at));
  return (
    <SubPane
      title="Memory"
      about="Short facts that every model gets along with your messages. In a shared chat only the sender’s own are used."
      footer={
        known.length > 0 && (
          <>
            <p className="min-w-0 flex-1 text-12 text-ink3 tabular-nums">{weight(known, data?.tokens ?? 0, user.memory_enabled)}</p>
            <Button variant="quiet" size="sm" className="-mr-12" onClick={() => setAsks(true)}>
              Forget all…
            </Button>
          </>
        )
      }
    >
      <MemorySwitch user={user} field="memory_enabled" label="Remember across chats" description="" />
      <MemorySwitch
        user={user}
        field="triggered_memory_enabled"
        label="Also in triggered messages"
        description="Mail, WhatsApp and schedules"
      />
      <div className="mt-8 flex flex-wrap gap-8 border-t border-line pt-12">
        <div className="relative min-w-160 flex-1 max-[520px]:basis-full">
          <Search aria-hidden className="absolute top-1/2 left-11 size-16 -translate-y-1/2 text-ink3" />
          <input
            type="search"
            aria-label="Search memory"
            placeholder={known.length === 0 ? "Search…" : `Search ${counted(known.length, "fact")}…`}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            className={`${fieldClass} h-36 pl-36 text-14 touch:h-44 touch:text-16`}
          />
        </div>
        <Button onClick={() => settings.enter("memory-import")}>
          <Import aria-hidden className="size-16" />
          Import memories
        </Button>
        <Button onClick={() => setAdding(crypto.randomUUID())}>
          <Plus aria-hidden className="size-16" />
          Add
        </Button>
      </div>
      {data?.last_import && <ImportReport last={data.last_import} />}
      {data?.waits_for_credit && (
        <p className="mt-8 text-13 text-ink2">Facts of one meaning are told by their words alone until you have credits again.</p>
      )}
      <div className="mt-8">
        {adding !== null && (
          <MemoryField
            key={adding}
            label="New fact"
            text=""
            problem={add.error?.message ?? null}
            isBusy={add.isPending}
            onCancel={() => setAdding(null)}
            onSave={(text) => add.mutate({ id: adding, text }, { onSuccess: () => setAdding(null) })}
          />
        )}
        {isError && (
          <div role="alert" className="flex flex-wrap items-center gap-12 py-12 text-13 text-ink2">
            <p>Your memory could not be loaded.</p>
            <TryAgain onClick={() => void refetch()} />
          </div>
        )}
        {isPending && <RowSkeletons label="Loading memory" className="h-52" />}
        {data && shown.length === 0 && adding === null && (
          <p className="py-16 text-14 text-ink2">
            {query === "" ? "Nothing is remembered yet. Tell a model something about yourself, or add a fact." : "No results found."}
          </p>
        )}
        <ul>
          {shown.map((fact) => (
            <MemoryRow
              key={fact.id}
              memory={fact}
              isForgotten={known.every(({ id }) => id !== fact.id)}
              isWanted={fact.id === wanted}
              onForgotten={() => setForgottenHere((before) => [...before.filter(({ id }) => id !== fact.id), fact])}
            />
          ))}
        </ul>
      </div>
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title="Forget everything?"
        confirm="Forget all"
        busy={forgetAll.isPending}
        onConfirm={() =>
          forgetAll.mutate(undefined, {
            onSuccess: () => {
              setForgottenHere([]);
              setAsks(false);
            },
          })
        }
      >
        {`${counted(known.length, "fact")} with their history are erased at once. This cannot be undone.`}
      </ConfirmDialog>
    </SubPane>
  );
}

/** `23 facts, about 410 tokens with each message`. */
function weight(facts: readonly Memory[], tokens: number, isOn: boolean): string {
  if (!isOn) return `${counted(facts.length, "fact")}, none goes along`;
  const sent = facts.filter(({ is_sent: isSent }) => isSent).length;
  const about = `about ${tokens.toLocaleString("en")} tokens with each message`;
  return sent === facts.length
    ? `${counted(facts.length, "fact")}, ${about}`
    : `${counted(facts.length, "fact")}, of which the newest ${sent.toLocaleString("en")} go along: ${about}`;
}

type SwitchProps = { user: User; field: "memory_enabled" | "triggered_memory_enabled"; label: string; description: string };

function MemorySwitch({ user, field, label, description }: SwitchProps) {
  const save = useSaveUser();
  const isOn = (save.isPending ? save.variables[field] : null) ?? user[field];
  return (
    <div className="py-4">
      <div className="flex min-h-32 items-center gap-12 touch:min-h-44">
        <div className="min-w-0 flex-1 items-baseline gap-12 desk:flex">
          <p className="text-14 font-medium text-ink desk:flex-1">{label}</p>
          {description !== "" && <p className="text-13 text-ink2">{description}</p>}
        </div>
        <Switch
          label={label}
          checked={isOn && (field === "memory_enabled" || user.memory_enabled)}
          disabled={field !== "memory_enabled" && !user.memory_enabled}
          onChange={(event) => save.mutate({ [field]: event.target.checked })}
        />
      </div>
      {save.error && (
        <p role="alert" className="text-13 text-danger">
          {save.error.message}
        </p>
      )}
    </div>
  );
}

/** How far a list is that is being imported, and what became of it. */
function ImportReport({ last }: { last: MemoryImport }) {
  const { state, total, added, duplicate, failed } = last;
  const done = added + duplicate + failed;
  const report = importReport(last);
  return (
    <div role="status" className="mt-8 text-13 text-ink2 tabular-nums">
      {state === "running" ? (
        <>
          <p>{`Importing: ${done} of ${total}`}</p>
          <div className="mt-4 h-4 overflow-hidden rounded-full bg-s3">
            <div
              className="h-full w-full origin-left bg-accent transition-transform duration-180"
              style={{ transform: `scaleX(${total === 0 ? 1 : done / total})` }}
            />
          </div>
        </>
      ) : (
        <p>{state === "done" ? `Imported: ${report}` : `The import stopped: ${report}`}</p>
      )}
    </div>
  );
}
