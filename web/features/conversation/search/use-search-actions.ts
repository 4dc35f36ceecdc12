import {
  BookOpen,
  Boxes,
  Drama,
  Hourglass,
  Keyboard,
  Layers,
  Link2,
  type LucideIcon,
  Moon,
  Settings,
  SquarePen,
  SquareSlash,
  Sun,
  TextQuote,
} from "lucide-react";
import { useMatch } from "react-router";
import { APPROVALS_PATH } from "#web/features/conversation/approvals/approvals-path.ts";
import { openDeeplinkBuilder, openDeeplinkDocs } from "#web/features/people/arrival/link-store.ts";
import { openShortcuts } from "#web/lib/shortcuts-store.ts";
import { NEW_CHAT, flushDrafts, readDraft, writeDraft } from "#web/features/conversation/composer/drafts.ts";
import { openModelSelector } from "#web/features/conversation/models/selector-store.ts";
import { openPersonaPicker } from "#web/features/conversation/persona-use/persona-picker-store.ts";
import { openManage } from "#web/features/library/kit/manage-store.ts";
import { choosePrompt, openPromptList } from "#web/features/conversation/composer/prompt-use-store.ts";
import { usePrompts } from "#web/features/library/prompts/use-prompts.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useSettings } from "#web/features/people/settings/use-settings.ts";
import { choiceFor } from "#web/features/conversation/workspaces/settle-choice.ts";
import { useOwnTeams } from "#web/features/conversation/workspaces/use-own-teams.ts";
import { setWorkspace, useWorkspaceChoice } from "#web/features/people/workspaces/workspace-store.ts";
import { hotkeyText } from "#web/lib/hotkeys.ts";
import { setTheme } from "#web/lib/theme.ts";
import { orderAroundNewChat, titleMatches, plainQueryText } from "./search-text.ts";

/** Prompts by name that stand among the actions. */
const PROMPTS_SHOWN = 5;

export type SearchAction = {
  id: string;
  icon: LucideIcon;
  label: string;
  /** What was typed, where it is about that. */
  about?: string;
  shortcut?: string;
  /** Where it leads, and what it does before. */
  to?: string;
  run?: () => void;
};

/** What can be done from the palette: with a text what it could begin, and what is called by it; else the most common. */
export function useSearchActions(text: string): SearchAction[] {
  const settings = useSettings();
  const { status } = useSession();
  const isAtHome = useMatch("/") !== null;
  const isNew = useMatch("/new") !== null;
  const atHome = isAtHome || isNew;
  const chatId = useMatch("/c/:chatId")?.params.chatId ?? null;
  const inChat = chatId !== null;
  const { prompts } = usePrompts();
  const workspaces = useWorkspaceActions();
  const isDark = document.documentElement.dataset["theme"] === "dark";
  const about = plainQueryText(text).trim();
  const openSettings = () => settings.open(status === "user" ? "general" : "appearance", { replace: true });
  const known: (SearchAction | false)[] = [
    { id: "new", icon: SquarePen, label: "New Chat", to: "/" },
    (atHome || inChat) && {
      id: "model",
      icon: Boxes,
      label: "Switch model",
      shortcut: hotkeyText("switchModel"),
      run: openModelSelector,
    },
    (atHome || inChat) && {
      id: "persona",
      icon: Drama,
      label: "Switch persona",
      shortcut: hotkeyText("switchPersona"),
      run: openPersonaPicker,
    },
    { id: "personas", icon: Drama, label: "Manage Personas", run: () => openManage("personas") },
    { id: "approvals", icon: Hourglass, label: "Waiting for you", to: APPROVALS_PATH },
    // Where there is no composer, the one at home.
    {
      id: "use-prompt",
      icon: SquareSlash,
      label: "Use a prompt",
      shortcut: "/",
      ...(!inChat && { to: "/" }),
      run: () => openPromptList(chatId ?? NEW_CHAT),
    },
    { id: "prompts", icon: TextQuote, label: "Manage prompts", run: () => openManage("prompts") },
    { id: "knowledge", icon: BookOpen, label: "Manage knowledge", run: () => openManage("knowledge") },
    ...workspaces,
    status === "user" && { id: "deeplinks", icon: Link2, label: "Deeplink builder", run: openDeeplinkBuilder },
    { id: "settings", icon: Settings, label: "Settings", shortcut: hotkeyText("openSettings"), run: openSettings },
    {
      id: "theme",
      icon: isDark ? Sun : Moon,
      label: isDark ? "Light theme" : "Dark theme",
      run: () => setTheme(isDark ? "light" : "dark"),
    },
    { id: "shortcuts", icon: Keyboard, label: "Keyboard shortcuts", shortcut: hotkeyText("showShortcuts"), run: openShortcuts },
  ];
  const there = known.filter((action) => action !== false);
  if (about === "") return there;
  const begin = () => {
    const draft = readDraft(NEW_CHAT).trim();
    writeDraft(NEW_CHAT, draft === "" ? about : `${draft}\n${about}`);
    flushDrafts();
  };
  // Found by its name alone: nobody needs it each day.
  const docs = { id: "deeplink-docs", icon: Link2, label: "How deeplinks work", run: openDeeplinkDocs };
  const matching = [...there, docs].filter(({ label }) => titleMatches(label, about));
  const named = prompts
    .filter(({ name }) => titleMatches(name, about))
    .slice(0, PROMPTS_SHOWN)
    .map(({ id, name }): SearchAction => ({
      id: `prompt-${id}`,
      icon: SquareSlash,
      label: name,
      ...(!inChat && { to: "/" }),
      run: () => choosePrompt(chatId ?? NEW_CHAT, id),
    }));
  const start: SearchAction = { id: "about", icon: SquarePen, label: "New chat about", about, to: "/", run: begin };
  return [...named, ...orderAroundNewChat(matching, start, about)];
}

/** The other workspaces, for who is in a team. */
function useWorkspaceActions(): SearchAction[] {
  const choice = useWorkspaceChoice();
  const teams = useOwnTeams();
  if (!choice) return [];
  const { userId, id: current } = choice;
  return [choiceFor(userId, "personal"), choiceFor(userId, "all"), ...teams.map((team) => choiceFor(userId, team))]
    .filter(({ id }) => id !== current)
    .map((other) => ({ id: `workspace-${other.id}`, icon: Layers, label: `Workspace: ${other.name}`, run: () => setWorkspace(other) }));
}
