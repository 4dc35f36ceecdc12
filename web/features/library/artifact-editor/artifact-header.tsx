import {
  ArrowLeft,
  BookOpen,
  Check,
  CircleAlert,
  CloudOff,
  CodeXml,
  Columns2,
  Download,
  Ellipsis,
  Eye,
  History,
  ListTree,
  MessageSquare,
  Pin,
  PinOff,
  Printer,
  Search,
  Trash2,
  UserPlus,
} from "lucide-react";
import type { Artifact } from "#shared/entities/artifact.ts";
import { ARTIFACTS_PATH } from "#web/features/library/artifacts/artifact-paths.ts";
import { changeArtifact } from "#web/features/library/artifacts/change-artifact.ts";
import { PaneHeader } from "#web/ui/pane-header.tsx";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Link } from "#web/ui/link.tsx";
import { Menu, MenuItem, MenuSeparator } from "#web/ui/menu/menu.tsx";
import type { DeskView } from "./desk-view.ts";
import type { SaveState } from "./saving.ts";

export type HeaderActions = {
  onView: (view: DeskView) => void;
  onHistory: () => void;
  onOutline: () => void;
  /** Null where there is no editor to search in. */
  onFind: (() => void) | null;
  onShare: () => void;
  onExport: (format: "markdown" | "html" | "docx" | "pdf") => void;
  onChat: () => void;
  onDelete: () => void;
};

type ArtifactHeaderProps = HeaderActions & {
  artifact: Artifact;
  state: SaveState;
  view: DeskView;
  canEdit: boolean;
  canSplit: boolean;
  hasHistory: boolean;
  hasOutline: boolean;
};

const VIEWS = [
  { view: "editor", label: "Editor", icon: CodeXml },
  { view: "split", label: "Side by side", icon: Columns2 },
  { view: "preview", label: "Preview", icon: Eye },
] as const;

/** The bar above an artifact: the way back, whether it is saved, how it is seen, and what can be done with it. */
export function ArtifactHeader(props: ArtifactHeaderProps) {
  const { artifact, state, view, canEdit, canSplit, hasHistory, hasOutline, onView, onHistory, onOutline, onFind, onShare, onExport } =
    props;
  const keepAsKnowledge = () =>
    void import("#web/features/library/knowledge/keep-artifact.ts").then(({ keepArtifact }) => keepArtifact(artifact));
  const pin = () => void changeArtifact(artifact, { is_pinned: !artifact.is_pinned });
  return (
    <PaneHeader
      actions={
        <div className="flex shrink-0 items-center gap-2 desk:gap-4">
          {canEdit && (
            <div role="group" aria-label="View" className="flex rounded-8 bg-s3 p-2 max-desk:hidden">
              {VIEWS.filter((way) => canSplit || way.view !== "split").map(({ view: way, label, icon: Icon }) => (
                <button
                  key={way}
                  type="button"
                  aria-pressed={way === view}
                  onClick={() => onView(way)}
                  className="inline-flex h-28 items-center gap-8 rounded-6 px-10 text-13 text-ink2 transition-colors duration-120 hover:text-ink aria-pressed:bg-s2 aria-pressed:font-medium aria-pressed:text-ink touch:h-44"
                >
                  <Icon aria-hidden className="size-14" />
                  {label}
                </button>
              ))}
            </div>
          )}
          <IconButton
            label="Versions"
            icon={History}
            aria-pressed={hasHistory}
            onClick={onHistory}
            className={cx("desk:ml-8", hasHistory && "bg-s3 text-ink")}
          />
          <IconButton
            label={artifact.is_pinned ? "Unpin" : "Pin"}
            icon={artifact.is_pinned ? PinOff : Pin}
            onClick={pin}
            className="max-desk:hidden"
          />
          <Menu trigger={<IconButton label="Download" icon={Download} className="max-desk:hidden" />} label="Download">
            <Exports onExport={onExport} />
          </Menu>
          {artifact.is_owner && (
            <Button variant="quiet" size="sm" className="text-ink! max-desk:hidden" onClick={onShare}>
              <UserPlus aria-hidden className="size-16" />
              Share
            </Button>
          )}
          <Menu trigger={<IconButton label="Artifact actions" icon={Ellipsis} tooltip="More" />} label="Artifact actions">
            {canEdit &&
              VIEWS.filter((way) => way.view !== view && (canSplit || way.view !== "split")).map(({ view: way, label, icon }) => (
                <MenuItem key={way} icon={icon} onClick={() => onView(way)}>
                  {label}
                </MenuItem>
              ))}
            <MenuItem icon={ListTree} onClick={onOutline}>
              {hasOutline ? "Hide outline" : "Outline"}
            </MenuItem>
            {onFind && (
              <MenuItem icon={Search} onClick={onFind}>
                Find and replace
              </MenuItem>
            )}
            <MenuItem icon={MessageSquare} onClick={props.onChat}>
              Open in a chat
            </MenuItem>
            <MenuItem icon={BookOpen} onClick={keepAsKnowledge}>
              Save as knowledge
            </MenuItem>
            <MenuItem icon={artifact.is_pinned ? PinOff : Pin} onClick={pin}>
              {artifact.is_pinned ? "Unpin" : "Pin"}
            </MenuItem>
            {artifact.is_owner && (
              <MenuItem icon={UserPlus} onClick={onShare}>
                Share
              </MenuItem>
            )}
            <MenuSeparator />
            <Exports onExport={onExport} />
            {artifact.is_owner && (
              <>
                <MenuSeparator />
                <MenuItem icon={Trash2} danger onClick={props.onDelete}>
                  Delete
                </MenuItem>
              </>
            )}
          </Menu>
        </div>
      }
    >
      <Link
        to={ARTIFACTS_PATH}
        className="inline-flex h-32 shrink-0 items-center gap-8 rounded-8 pr-8 text-13 max-desk:px-8 font-medium text-ink2 hover:text-ink touch:h-44"
      >
        <ArrowLeft aria-hidden className="size-16" />
        <span className="max-desk:sr-only">Artifacts</span>
      </Link>
      {canEdit && <SaveMark state={state} />}
    </PaneHeader>
  );
}

function Exports({ onExport }: Pick<HeaderActions, "onExport">) {
  return (
    <>
      <MenuItem icon={Download} onClick={() => onExport("markdown")}>
        Download as Markdown
      </MenuItem>
      <MenuItem icon={Download} onClick={() => onExport("html")}>
        Download as HTML
      </MenuItem>
      <MenuItem icon={Download} onClick={() => onExport("docx")}>
        Download as Word
      </MenuItem>
      <MenuItem icon={Printer} onClick={() => onExport("pdf")}>
        Print or save as PDF
      </MenuItem>
    </>
  );
}

const SAVE_STATE_LABELS = {
  saved: "Saved",
  unsaved: "Not saved yet",
  saving: "Saving",
  offline: "Offline, kept in this browser",
  failed: "Not saved",
  conflict: "Not saved: others changed the same lines",
} as const;

function SaveMark({ state }: { state: SaveState }) {
  const isWrong = state.kind === "failed" || state.kind === "conflict";
  const Icon = isWrong ? CircleAlert : state.kind === "offline" ? CloudOff : Check;
  return (
    <span
      role="status"
      title={state.kind === "failed" ? state.message : undefined}
      className={cx("ml-8 inline-flex min-w-0 items-center max-desk:ml-0 gap-6 text-12", isWrong ? "text-danger" : "text-ink3")}
    >
      {(isWrong || state.kind === "saved" || state.kind === "offline") && <Icon aria-hidden className="size-14 shrink-0" />}
      {/* Typing is not interrupted for what ends by itself. */}
      <span aria-hidden={state.kind === "unsaved" || state.kind === "saving"} className="truncate">
        {state.kind === "failed" ? `${SAVE_STATE_LABELS.failed}: ${state.message}` : SAVE_STATE_LABELS[state.kind]}
      </span>
    </span>
  );
}
