import type { Run } from "#shared/entities/outbound/run.ts";
import type { Follower } from "#worker/conversation/tools/outside/follower.ts";
import type { CategorySource } from "#worker/conversation/tools/available-categories.ts";
import type { Connections, Tool } from "#worker/conversation/tools/tool.ts";
import type { Contributor } from "#worker/conversation/turn/contribution.ts";
import type { TokenOf } from "#worker/conversation/hub/rpc.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import type { Citation } from "#shared/entities/message.ts";

/** What a turn is made of: where it is planned, nothing waits for a module. */
export type TurnFeatures = { tools: readonly Tool[]; contributors: readonly Contributor[] };

/** What a room knows of the messaging app. */
export type MessagingApp = {
  /** Notes a message of ours by the app's own id, so an answer to it finds its chat. */
  noteSent(db: Database, sent: { id: string; userId: string; chatId: string }): Promise<void>;
  /** Notes that something of a chat waits until its person writes again. */
  noteWaiting(db: Database, place: { userId: string; chatId: string }): Promise<void>;
  /** Notes that nothing of a chat waits for its person. */
  noteFlushed(db: Database, place: { userId: string; chatId: string }): Promise<void>;
  /** A text as messages that the app takes. */
  splitText(text: string): string[];
  /** An answer as the app shows it, with the sources that it marks below. */
  toAppText(markdown: string, citations: readonly Citation[]): string;
};

/** What the features of a deployment bring to conversations. The composition root names them; each is loaded when it is first needed. */
export type Features = {
  /** In the order in which models see them. */
  tools(): Promise<readonly Tool[]>;
  /** What says something to a turn's model, or has tools for it, in the order in which models read it. */
  contributors(): Promise<readonly Contributor[]>;
  /** What differs from person to person about the categories of tools. */
  categorySources: readonly CategorySource[];
  /** The categories of the connections that a question names, and of those that its person's new chats begin with. */
  wantedConnections(db: Database, question: { userId: string; text: string; defaults: readonly string[] }): Promise<string[]>;
  /** A turn's sessions with the servers that its person connected. */
  openConnections(env: Env, userId: string): Promise<Connections>;
  /** An access token of a user's connection, renewed where it ends soon or is the `refused` one. Asked by one at a time. */
  findToken(place: { env: Env; db: Database; userId: string }, of: TokenOf, refused: string | null): Promise<Outcome<string>>;
  /** How each kind of what goes on outside is followed. */
  followers: Record<Run["kind"], () => Promise<Follower>>;
  messagingApp(): Promise<MessagingApp>;
};
