import { useMemo } from "react";
import { flushDrafts, readDraft, writeDraft } from "#web/features/conversation/composer/drafts.ts";
import { focusComposer } from "#web/features/conversation/prompt-use/insert-prompt.ts";
import { indexNames, matchNames } from "#web/features/conversation/prompt-use/match-prompts.ts";
import type { Slash } from "#web/features/conversation/prompt-use/slash.ts";
import { Picker } from "#web/ui/picker.tsx";
import type { Steer } from "#web/ui/picker/use-steering.ts";
import { withoutSign } from "./at-sign.ts";
import { ENTRIES } from "#web/features/library/knowledge/entry-row.tsx";
import { useKnowledge } from "#web/features/library/knowledge/use-knowledge.ts";

type AtPopupProps = {
  /** What it stands above: the composer. */
  anchor: HTMLElement;
  /** The at sign in its text; null while there is none. */
  sign: Slash | null;
  /** The field that is written in; without it the list has its own search. */
  steer: Steer | undefined;
  draftKey: string;
  /** Ids of entries. */
  chosen: readonly string[];
  onAdd: (id: string) => void;
  onClose: () => void;
};

/** The knowledge behind `@` that the chat does not have yet. Loaded with the first opening. */
export default function AtPopup({ anchor, sign, steer, draftKey, chosen, onAdd, onClose }: AtPopupProps) {
  const { entries } = useKnowledge();
  const index = useMemo(
    () =>
      indexNames(
        entries.filter(({ id }) => !chosen.includes(id)),
        ({ name }) => name,
      ),
    [entries, chosen],
  );
  const items = useMemo(() => matchNames(index, steer?.query ?? ""), [index, steer?.query]);
  return (
    <Picker
      open={sign !== null && items.length > 0}
      anchor={anchor}
      label="Add knowledge"
      kind={ENTRIES}
      items={items}
      selected={NONE}
      listLabel="Knowledge"
      search={{ label: "Search knowledge", placeholder: "Search knowledge..." }}
      {...(steer && { steer })}
      onPick={({ id }) => {
        onClose();
        if (sign) {
          const { text, caret } = withoutSign(readDraft(draftKey), sign);
          writeDraft(draftKey, text);
          flushDrafts();
          focusComposer(caret);
        }
        onAdd(id);
      }}
      onClose={onClose}
    />
  );
}

const NONE: readonly string[] = [];
