import { useNavigate } from "react-router";
import { ABOUT_LINE, ABOUT_TEXT } from "#shared/about.ts";
import { APP_NAME } from "#shared/app.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";

type AboutDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

const linkClass = "text-accent underline underline-offset-2 touch:inline-flex touch:min-h-44 touch:items-center";

/** What the product is, which build this is, and where to read more. */
export default function AboutDialog({ open, onOpenChange }: AboutDialogProps) {
  const { features } = useSession();
  const navigate = useNavigate();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`About ${APP_NAME}`}
      width={480}
      footer={
        <Button variant="primary" onClick={() => onOpenChange(false)}>
          Done
        </Button>
      }
    >
      <div className="space-y-12 text-14 text-ink2">
        <p className="font-serif text-18 text-ink">{ABOUT_LINE}</p>
        <p>{ABOUT_TEXT}</p>
        {features?.demo && (
          <p className="rounded-8 bg-signal-soft px-12 py-8 text-signal-ink">
            This server has no key to a model service: its answers come from a demonstration model.
          </p>
        )}
        <dl className="grid grid-cols-[88px_1fr] items-center gap-y-6 pt-4 touch:auto-rows-[minmax(44px,auto)] touch:gap-y-0">
          <dt className="text-ink3">Version</dt>
          <dd className="break-all text-ink tabular-nums">{features?.version ?? "unknown"}</dd>
          <dt className="text-ink3">News</dt>
          <dd>
            <a
              href="/changelog"
              className={linkClass}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey) return;
                event.preventDefault();
                // In place of the dialog's own history entry.
                void navigate("/changelog", { replace: true });
              }}
            >
              Changelog
            </a>
          </dd>
          <dt className="text-ink3">Developers</dt>
          <dd>
            <a href="/api/docs" className={linkClass}>
              API reference
            </a>
          </dd>
        </dl>
      </div>
    </Dialog>
  );
}
