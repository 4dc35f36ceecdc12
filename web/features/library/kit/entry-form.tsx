import { Share2 } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import type { ContentRights } from "#shared/sharing/shared-content.ts";
import { openShareLink, type Shareable } from "#web/features/people/arrival/link-store.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { CHANGED_ELSEWHERE } from "#web/lib/draft-form.ts";
import { Button } from "#web/ui/button.tsx";
import { ManageFooter } from "./manage-footer.tsx";

type EntryFormProps = {
  /** Of `useEntryForm`. */
  form: {
    element: RefObject<HTMLFormElement | null>;
    titleId: string;
    rights: ContentRights;
    keeper: string;
    isWarned: boolean;
    leave: () => void;
    submit: (save: () => void) => void;
  };
  /** What makes and changes the entry. */
  changes: readonly { isPending: boolean; error: Error | null }[];
  saveLabel: string;
  /** What is said below it while nothing is wrong. */
  note?: string;
  onSave: () => void;
  children: ReactNode;
};

/** An entry, to be made, changed, or where it is another's only looked at; its heading has the id `titleId`. */
export function EntryForm({ form, changes, saveLabel, note, onSave, children }: EntryFormProps) {
  const { element, titleId, rights, keeper, isWarned, leave, submit } = form;
  const isSaving = changes.some(({ isPending }) => isPending);
  const problem = isWarned ? CHANGED_ELSEWHERE : changes.find(({ error }) => error)?.error?.message;
  return (
    <form
      ref={element}
      noValidate
      aria-labelledby={titleId}
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        if (rights.edit && !isSaving) submit(onSave);
      }}
    >
      {children}
      <ManageFooter className="justify-end">
        {problem === undefined ? (
          <p className="mr-auto min-w-0 text-12 text-ink2">{rights.edit ? note : `${keeper} can change it.`}</p>
        ) : (
          <p role="alert" className="mr-auto min-w-0 text-13 text-danger">
            {problem}
          </p>
        )}
        <Button variant="quiet" onClick={leave}>
          {rights.edit ? "Cancel" : "Back"}
        </Button>
        {rights.edit && (
          <Button type="submit" variant="primary" busy={isSaving}>
            {saveLabel}
          </Button>
        )}
      </ManageFooter>
    </form>
  );
}

/** The way to share an entry by a link, for whoever may. */
export function ShareEntry({ item, rights, className }: { item: Shareable; rights: ContentRights; className?: string }) {
  const { features } = useSession();
  if (!rights.share || !features?.shareLinks) return null;
  return (
    <Button size="sm" variant="quiet" className={className} onClick={() => openShareLink(item)}>
      <Share2 aria-hidden className="size-16" />
      Share
    </Button>
  );
}
