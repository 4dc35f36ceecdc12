import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { useId, useState } from "react";
import { listPersonaVersions } from "#shared/contracts/library/personas.ts";
import type { Persona, PersonaVersion } from "#shared/entities/persona.ts";
import { ManageFooter } from "#web/features/library/kit/manage-footer.tsx";
import { call } from "#web/lib/api.ts";
import { fullTime } from "#web/lib/format.ts";
import { keys } from "#web/lib/query.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Select } from "#web/ui/menu/select.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { type DiffLine, lineDiff } from "./line-diff.ts";
import { personaDrafts } from "./persona-draft.ts";
import { useRestorePersona } from "./use-change-personas.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

export type PersonaVersionsProps = { persona: Persona; onDone: () => void };

/** What a persona said before its last changes: each compared with what it says now, and taken back. */
export function PersonaVersions({ persona, onDone }: PersonaVersionsProps) {
  const headingId = useId();
  const { data, isError, refetch } = useQuery({
    queryKey: keys.personaVersions(persona.id),
    queryFn: ({ signal }) => call(listPersonaVersions, { params: { id: persona.id } }, { signal }),
    staleTime: 0,
  });
  const [wanted, setWanted] = useState<number | null>(null);
  const restore = useRestorePersona();
  const versions = data?.versions ?? [];
  const chosen = versions.find(({ version }) => version === wanted) ?? versions[0];
  const takeBack = (version: number) =>
    restore.mutate(
      { id: persona.id, version },
      {
        onSuccess: () => {
          personaDrafts.set(persona.id, null);
          toast({ title: `Version ${version} is back`, tone: "success" });
          onDone();
        },
      },
    );
  return (
    <section aria-labelledby={headingId} className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-0 flex-1 flex-col px-20 pt-16 pb-20 desk:px-24">
        <h3 id={headingId} className="flex min-h-32 items-center truncate font-serif text-18 text-ink">
          Earlier versions
        </h3>
        {isError && (
          <div className="mt-8 flex flex-wrap items-center gap-x-12 gap-y-4 text-13 text-ink2">
            <p role="alert">The versions could not be loaded.</p>
            <TryAgain onClick={() => void refetch()} />
          </div>
        )}
        {data && !chosen && <p className="mt-8 text-13 text-ink2">There is no earlier version yet.</p>}
        {chosen && (
          <>
            <Select
              label="Version"
              className="mt-8 w-full"
              value={String(chosen.version)}
              options={versions.map(({ version, created_at: at }) => ({
                value: String(version),
                label: `Version ${version}, ${fullTime(at)}`,
              }))}
              onChange={(version) => setWanted(Number(version))}
            />
            <p className="mt-16 mb-6 text-13 font-medium text-ink">What taking it back changes</p>
            <Difference lines={changesBetween(persona, chosen)} />
          </>
        )}
      </div>
      <ManageFooter className="justify-end">
        {restore.error && (
          <p role="alert" className="mr-auto min-w-0 text-13 text-danger">
            {restore.error.message}
          </p>
        )}
        <Button variant="quiet" onClick={onDone}>
          <ArrowLeft aria-hidden className="size-16" />
          Back
        </Button>
        {chosen && (
          <Button variant="primary" busy={restore.isPending} onClick={() => takeBack(chosen.version)}>
            Restore
          </Button>
        )}
      </ManageFooter>
    </section>
  );
}

/** All that a persona is, line by line: its name where that differs, and its texts. */
function changesBetween(now: Persona, earlier: PersonaVersion): DiffLine[] {
  const names = now.name === earlier.name ? [] : lineDiff(`Name: ${now.name}`, `Name: ${earlier.name}`);
  const sections = lineDiff(now.personalization ?? "", earlier.personalization ?? "");
  return [...names, ...lineDiff(now.content, earlier.content), ...sections];
}

const LINE_STYLES = {
  same: { sign: " ", className: "text-ink2", srPrefix: "" },
  removed: { sign: "−", className: "bg-danger-soft text-ink", srPrefix: "Removed: " },
  added: { sign: "+", className: "bg-accent-soft text-ink", srPrefix: "Added: " },
} as const;

function Difference({ lines }: { lines: readonly DiffLine[] }) {
  return (
    <div
      role="region"
      aria-label="Differences"
      // What scrolls is reached by keys.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto rounded-8 border border-line py-6"
    >
      {lines.length === 0 && <p className="px-11 text-13 text-ink2">Both say the same.</p>}
      {lines.map(({ kind, text }, index) => {
        const { sign, className, srPrefix } = LINE_STYLES[kind];
        return (
          // Lines have no name but their place, and a list is made again as a whole.
          // oxlint-disable-next-line react/no-array-index-key
          <p key={index} className={cx("flex gap-8 px-11 text-13", className)}>
            <span aria-hidden className="w-8 shrink-0 select-none">
              {sign}
            </span>
            {srPrefix !== "" && <span className="sr-only">{srPrefix}</span>}
            <span dir="auto" className="min-w-0 flex-1 break-words whitespace-pre-wrap">
              {text || "\u200b"}
            </span>
          </p>
        );
      })}
    </div>
  );
}
