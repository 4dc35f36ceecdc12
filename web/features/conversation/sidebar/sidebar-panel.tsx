import { FilePlus, PanelLeft, Search, SquarePen, X } from "lucide-react";
import { useMatch } from "react-router";
import { type KeyboardEvent, useId, useRef } from "react";
import { APP_NAME } from "#shared/app.ts";
import { UNREAD_BADGE_EXPANDED } from "#shared/limits.ts";
import { WaitingRow } from "#web/features/conversation/approvals/waiting-row.tsx";
import { useArtifactPlace, useArtifactWays } from "#web/features/library/artifacts/artifacts-on.ts";
import { useNewArtifact } from "#web/features/library/artifacts/use-new-artifact.ts";
import { ProfileFooter } from "#web/features/conversation/profile-menu/profile-footer.tsx";
import { openSearch } from "#web/features/conversation/search/search-store.ts";
import { rememberedSession } from "#web/features/people/session/remembered-session.ts";
import { refreshSession, useSession } from "#web/features/people/session/use-session.ts";
import { useWorkspace } from "#web/features/people/workspaces/workspace-store.ts";
import { firstScreen } from "#web/lib/first-screen.ts";
import { hotkeyText } from "#web/lib/hotkeys.ts";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Kbd } from "#web/ui/kbd.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Link } from "#web/ui/link.tsx";
import { Tooltip } from "#web/ui/toast/tooltip.tsx";
import { SidebarNotice } from "#web/ui/sidebar-notice.tsx";
import { ChatListSkeleton, EmptyList } from "#web/features/conversation/chat-list/chat-list-states.tsx";
import {
  setCollapsed,
  setDrawerOpen,
  useSidebarState,
  type SidebarView,
  setView,
} from "#web/features/conversation/list-state/sidebar-state.ts";
import { usePrefetchedChats, useUnreadCount } from "#web/features/conversation/chat-cache/use-chats.ts";
import { useListScope } from "#web/features/conversation/list-state/use-list-scope.ts";
import { useWaitingCount } from "#web/features/conversation/approvals/waiting-count.ts";

/** The list's code comes with the first person; for whoever was here before, together with the page, but after the chat they open. */
const ChatList = lazyPart(async () => {
  await firstScreen();
  return (await import("#web/features/conversation/chat-list/chat-list.tsx")).ChatList;
}, ListRoom);
if (rememberedSession.read()?.user) ChatList.preload().catch(() => undefined);

const ArtifactList = lazyPart(async () => (await import("#web/features/library/artifacts/artifact-list.tsx")).default);

function navClass(inDrawer: boolean): string {
  return cx(
    "flex items-center rounded-8 text-ink transition-colors duration-120 aria-[current=page]:bg-s4",
    inDrawer ? "h-44 gap-14 px-12 text-15" : "h-36 gap-8 px-8 text-14 hover:bg-s3 touch:h-44",
  );
}

const PANEL_NAMES = { inbox: "Inbox", all: "Chats", archived: "Archived chats", artifacts: "Artifacts" } as const;

/** The sidebar in full: name, New Chat, the chats, the person. In the drawer, following a link takes the drawer's place. */
export function SidebarPanel({ inDrawer = false }: { inDrawer?: boolean }) {
  const atHome = useMatch("/") !== null;
  const { user, status, isUnknown, failure } = useSession();
  const { view: chosen, scope } = useSidebarState();
  const workspace = useWorkspace();
  const hasArtifacts = useArtifactWays();
  const hasPlace = useArtifactPlace();
  const newArtifact = useNewArtifact();
  const view = chosen === "artifacts" && !hasArtifacts ? "inbox" : chosen;
  const listed = view === "artifacts" ? "inbox" : view;
  usePrefetchedChats(listed, useListScope(listed), user !== null);
  const close = inDrawer ? closeDrawer : undefined;
  return (
    <>
      <div className={cx("flex h-52 shrink-0 items-center justify-between pr-8 pl-20", inDrawer && "h-56")}>
        <Link
          to="/"
          replace={inDrawer}
          onClick={close}
          className="rounded-6 pt-4 font-serif text-21 touch:inline-flex touch:min-h-44 touch:items-center tracking-[-0.025em] text-ink"
        >
          {APP_NAME}
        </Link>
        {inDrawer ? (
          <IconButton size="touch" label="Close sidebar" icon={X} tooltip={false} onClick={close} />
        ) : (
          <IconButton
            label="Collapse sidebar"
            icon={PanelLeft}
            shortcut={hotkeyText("toggleSidebar")}
            className="mr-4"
            onClick={() => setCollapsed(true)}
          />
        )}
      </div>
      <div className={cx("shrink-0 pb-4", inDrawer ? "px-8" : "px-12")}>
        <Link to="/" replace={inDrawer} onClick={close} aria-current={atHome ? "page" : undefined} className={navClass(inDrawer)}>
          <SquarePen aria-hidden className={cx("text-ink2", inDrawer ? "size-20" : "size-16")} />
          New Chat
        </Link>
        {hasPlace && (
          <button
            type="button"
            className={cx(navClass(inDrawer), "w-full")}
            onClick={() => {
              close?.();
              newArtifact();
            }}
          >
            <FilePlus aria-hidden className={cx("text-ink2", inDrawer ? "size-20" : "size-16")} />
            New Artifact
          </button>
        )}
        <Tooltip label="Search" shortcut={hotkeyText("search")}>
          <button
            type="button"
            aria-label="Search"
            className={cx(navClass(inDrawer), "w-full")}
            onClick={() => {
              close?.();
              openSearch();
            }}
          >
            <Search aria-hidden className={cx("text-ink2", inDrawer ? "size-20" : "size-16")} />
            Search
            <span aria-hidden className="ml-auto">
              <Kbd>{hotkeyText("search")}</Kbd>
            </span>
          </button>
        </Tooltip>
      </div>
      <SidebarTabs view={view} hasArtifacts={hasPlace} inDrawer={inDrawer} />
      <div id={LIST_PANEL} role="tabpanel" aria-label={PANEL_NAMES[view]} className="@container flex min-h-0 flex-1 flex-col outline-none">
        <WaitingRow inDrawer={inDrawer} onFollow={close} />
        {view === "artifacts" ? (
          <ArtifactList inDrawer={inDrawer} onFollow={close} />
        ) : isUnknown ? (
          <SidebarNotice title="Chats could not be loaded" text={failure?.text} retry={() => void refreshSession()} />
        ) : status === "visitor" ? (
          <EmptyList view={view} inDrawer={inDrawer} />
        ) : status === "loading" ? (
          <ListRoom inDrawer={inDrawer} />
        ) : (
          <ChatList key={`${workspace} ${view} ${scope?.folder} ${scope?.tag}`} view={view} inDrawer={inDrawer} />
        )}
      </div>
      <ProfileFooter inDrawer={inDrawer} />
    </>
  );
}

const closeDrawer = () => setDrawerOpen(false);

/** The chats before their list is there, where its own loading rows stand. */
function ListRoom({ inDrawer }: { inDrawer: boolean }) {
  return (
    <div className="pt-4">
      <ChatListSkeleton inDrawer={inDrawer} />
    </div>
  );
}

const TABS = [
  { view: "inbox", label: "Inbox" },
  { view: "all", label: "Chats" },
  { view: "artifacts", label: "Artifacts" },
] as const;

/** The panel that the tabs switch. */
const LIST_PANEL = "chat-lists";

type SidebarTabsProps = { view: SidebarView; hasArtifacts: boolean; inDrawer: boolean };

/** The lists to choose from, the inbox with the count of what is unread or waits for the person's word. */
function SidebarTabs({ view, hasArtifacts, inDrawer }: SidebarTabsProps) {
  const unread = useUnreadCount();
  const waiting = useWaitingCount();
  const count = unread + waiting;
  const badge = useId();
  const tabs = useRef<HTMLDivElement>(null);
  const shown = hasArtifacts ? TABS : TABS.slice(0, 2);
  const at = Math.max(
    0,
    shown.findIndex((tab) => tab.view === (view === "archived" ? "all" : view)),
  );
  const chosen = shown[at]?.view;
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== "ArrowLeft" && key !== "ArrowRight") return;
    const next = (at + (key === "ArrowRight" ? 1 : shown.length - 1)) % shown.length;
    setView(shown[next]?.view ?? "inbox");
    tabs.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  return (
    <div
      ref={tabs}
      role="tablist"
      aria-label="Lists of chats"
      className={cx("flex shrink-0 border-b border-line", inDrawer ? "mx-20" : "mx-12")}
    >
      {shown.map((tab) => (
        <button
          key={tab.view}
          type="button"
          role="tab"
          aria-label={tab.label}
          aria-selected={tab.view === chosen}
          aria-controls={LIST_PANEL}
          aria-describedby={tab.view === "inbox" && count > 0 ? badge : undefined}
          tabIndex={tab.view === chosen ? 0 : -1}
          onClick={() => setView(tab.view)}
          onKeyDown={onKeyDown}
          className={cx(
            "relative flex flex-1 items-center justify-center gap-6 text-ink2 transition-colors duration-120 hover:text-ink",
            "-mb-1 border-b-2 border-transparent aria-selected:border-accent aria-selected:font-medium aria-selected:text-ink",
            inDrawer ? "h-44 text-15" : "h-38 text-14 touch:h-44",
          )}
        >
          {tab.label}
          {tab.view === "inbox" && count > 0 && (
            <span id={badge} className="text-13 font-medium text-signal-ink tabular-nums">
              {count > UNREAD_BADGE_EXPANDED ? `${UNREAD_BADGE_EXPANDED}+` : count}
              <span className="sr-only">{waiting === 0 ? " unread" : unread === 0 ? " waiting" : " unread or waiting"}</span>
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
