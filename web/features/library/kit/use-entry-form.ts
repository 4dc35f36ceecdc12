import { useEffect, useId, useRef, useState } from "react";
import { CONTENT_NAME_LENGTH } from "#shared/limits.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useContentRights } from "#web/features/people/teams/use-content-rights.ts";
import { type Drafts, useDraftForm } from "#web/lib/draft-form.ts";
import { isTouchDevice } from "#web/lib/device.ts";

type Problems = { name?: string };

type EntryFormOptions<T, P extends Problems> = {
  /** Null for a new one. */
  entry: { id: string; user_id: string; team_id: string | null } | null;
  drafts: Drafts<T>;
  saved: T;
  /** What a new one is made of. */
  from?: string;
  problemsOf: (draft: T) => P;
  /** The fields of which the first one has the focus as it opens, and that get it where they are wrong; nothing is focused without. */
  focused?: string;
  onDone: () => void;
};

/** What the forms of all entries have: a draft that outlives them, what is wrong in it, and what their reader may do. */
export function useEntryForm<T extends { name: string }, P extends Problems>(options: EntryFormOptions<T, P>) {
  const { entry, drafts, saved, from = "", problemsOf, focused, onDone } = options;
  const { user } = useSession();
  const titleId = useId();
  const key = entry?.id ?? `new ${user?.id ?? ""} ${from}`;
  const { draft, hasClash, change, overwrite, forget } = useDraftForm(drafts, key, saved);
  const [newId] = useState(() => crypto.randomUUID());
  const [{ isTried, isWarned }, setState] = useState({ isTried: false, isWarned: false });
  const element = useRef<HTMLFormElement>(null);
  const access = useContentRights()(entry);
  const problems: Partial<P> = isTried ? problemsOf(draft) : {};
  useEffect(() => {
    if (focused !== undefined && !isTouchDevice()) element.current?.querySelector<HTMLElement>(focused)?.focus();
  }, [focused]);
  return {
    ...access,
    element,
    titleId,
    key,
    newId,
    draft,
    change,
    problems,
    isWarned,
    nameField: {
      label: "Name",
      autoComplete: "off",
      maxLength: CONTENT_NAME_LENGTH,
      readOnly: !access.rights.edit,
      value: draft.name,
      error: problems.name,
    },
    leave() {
      forget();
      onDone();
    },
    /** Calls `save` unless something is wrong, or was changed elsewhere and is to be seen before it is replaced. */
    submit(save: () => void) {
      const isWrong = Object.keys(problemsOf(draft)).length > 0;
      setState({ isTried: true, isWarned: !isWrong && hasClash });
      // What is wrong is marked with the next drawing.
      if (isWrong && focused !== undefined)
        requestAnimationFrame(() => element.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus());
      if (isWrong) return;
      if (hasClash) overwrite();
      else save();
    },
  };
}
