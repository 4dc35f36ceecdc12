import type { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, Env, KnownSession, ModelSettings, ToolPreferences } from "#worker/platform/env.ts";
import type { Features } from "#worker/conversation/features.ts";
import type { PrivateSource } from "#worker/conversation/tools/private-source.ts";

/** What every door needs to begin a turn; `settings` and `preferences` where they are at hand. */
export type TurnContext = {
  env: Env;
  features: Features;
  db: Database;
  caller: Caller;
  settings: ModelSettings | null;
  preferences: ToolPreferences | null;
  ip: string;
  /** What of the caller's own the turn may use: everything where they began it themselves, nothing where somebody else did. */
  sources: readonly PrivateSource[];
  /** True for a message that nobody typed. */
  isTriggered?: boolean;
  /** Absent where no browser asks. */
  session?: KnownSession | null;
};

/** `settings` become the chat's; what a new chat's leave open begins with the caller's defaults. `once` holds for this turn alone. */
export type TurnInput = { settings: ChatSettingsChange; once?: ChatSettingsChange | undefined } & (
  | {
      kind: "send";
      id: string;
      parentId: string | null;
      teamId?: string | null | undefined;
      folderId?: string | null | undefined;
      content: string;
      attachments?: string[] | undefined;
    }
  | { kind: "edit"; id: string; messageId: string; content: string; attachments?: string[] | undefined }
  | { kind: "regenerate"; id: string; messageId: string }
  | { kind: "continue"; messageId: string }
);
