import { type Query, QueryClient, type QueryKey } from "@tanstack/react-query";
import { ApiError } from "./api.ts";

/** The one cache of server state. Failures the server explained are not asked again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 2 && (!(error instanceof ApiError) || error.status >= 500 || error.status === 0),
      refetchOnWindowFocus: false,
    },
  },
});

/** Invalidated since the read that is under way began, which goes on. */
const overtaken = new WeakSet<Query>();

// An invalidation takes up a first read that is under way, or leaves one that nobody looks at alone, and that answer, which may be from before the change, would end it.
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== "updated") return;
  const { query, action } = event;
  const { data, fetchStatus, isInvalidated } = query.state;
  if (action.type === "fetch") {
    overtaken.delete(query);
    // The mark of a read that failed would hide the next one.
    if (data === undefined && isInvalidated) query.setState({ isInvalidated: false });
  } else if (action.type === "invalidate" && fetchStatus === "fetching" && (data === undefined || !query.isActive())) {
    overtaken.add(query);
  } else if (action.type === "success" && action.manual !== true && overtaken.delete(query)) {
    void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
  }
});

/** Puts what a change was answered with into the cache; a read that is under way, whose answer may be from before, is given up. */
export async function setAnswer(queryKey: QueryKey, answer: unknown): Promise<void> {
  await queryClient.cancelQueries({ queryKey, exact: true });
  queryClient.setQueryData(queryKey, answer);
}

/** Every cache key, in one place, so live events and optimistic changes meet the same entries. */
export const keys = {
  session: ["session"] as const,
  /** All that administrators see. */
  admin: ["admin"] as const,
  models: ["models"] as const,
  allowlist: ["model-allowlist"] as const,
  preferences: ["preferences"] as const,
  emailAuthentication: (email: string) => ["email-authentication", email] as const,
  personas: ["personas"] as const,
  prompts: ["prompts"] as const,
  /** The memory, some of its facts, and what one said before. */
  memories: ["memories"] as const,
  memoriesOf: (ids: readonly string[]) => ["memories", "of", ...ids] as const,
  sentFacts: (messageId: string) => ["sent-facts", messageId] as const,
  memoryHistory: (id: string) => ["memories", "history", id] as const,
  apiKeys: ["api-keys"] as const,
  linkedSignIns: ["linked-sign-ins"] as const,
  ownSessions: ["own-sessions"] as const,
  push: ["push"] as const,
  imports: ["imports"] as const,
  invites: ["invites"] as const,
  /** What a code brings; whoever used it sees that they did. */
  invite: (code: string, readerId: string | null) => ["invite", code, readerId] as const,
  personaVersions: (id: string) => ["persona-versions", id] as const,
  prompt: (id: string) => ["prompt", id] as const,
  /** The schedules, and what became of one's times. */
  schedules: ["schedules"] as const,
  scheduleRuns: (id: string) => ["schedules", "runs", id] as const,
  /** All that is known of knowledge: the list, and each entry whole. */
  knowledge: ["knowledge"] as const,
  knowledgeList: ["knowledge", "list"] as const,
  knowledgeEntries: ["knowledge", "entry"] as const,
  knowledgeEntry: (id: string) => ["knowledge", "entry", id] as const,
  /** Artifacts that can be added to knowledge. */
  artifactChoice: (q: string) => ["knowledge", "artifacts", q] as const,
  toolCategories: ["tool-categories"] as const,
  /** A chat's mails, and each one whole. */
  mails: (chatId: string) => ["mails", chatId] as const,
  mail: (chatId: string, id: string) => ["mails", chatId, id] as const,
  /** How many calls wait for a word, and which. */
  waitingCount: ["approvals", "count"] as const,
  approvals: ["approvals", "list"] as const,
  toolSettings: ["tool-settings"] as const,
  mcpConnections: ["mcp-connections"] as const,
  whatsappSetup: ["whatsapp-setup"] as const,
  usage: ["usage"] as const,
  quotas: ["quotas"] as const,
  /** All lists of artifacts, and one of them. */
  /** A passage that answers cite. */
  passage: (place: { entryId: string; documentId: string; start: number; end: number }) => ["passage", place] as const,
  artifacts: ["artifacts"] as const,
  artifactList: (workspace: string, filter: string, sort: string, q: string) => ["artifacts", workspace, filter, sort, q] as const,
  artifact: (id: string) => ["artifact", id] as const,
  artifactVersions: (id: string) => ["artifact-versions", id] as const,
  artifactVersion: (id: string, version: number) => ["artifact-version", id, version] as const,
  artifactShares: (id: string) => ["artifact-shares", id] as const,
  /** A list of chats, narrowed by a scope where there is one. */
  chats: (workspace: string, view: string, scope?: object) =>
    scope === undefined ? ["chats", workspace, view] : ["chats", workspace, view, scope],
  folders: ["folders"] as const,
  chat: (id: string) => ["chat", id] as const,
  messages: (chatId: string) => ["messages", chatId] as const,
  queue: (chatId: string) => ["queue", chatId] as const,
  summary: (chatId: string) => ["summary", chatId] as const,
  search: (q: string, kind: string | null, workspace: string) => ["search", q, kind, workspace] as const,
  codegen: ["codegen"] as const,
  google: ["google"] as const,
  driveIndex: ["drive-index"] as const,
  callSettings: ["call-settings"] as const,
  /** What a chat's tool calls set going outside. */
  runs: (chatId: string) => ["runs", chatId] as const,
  todos: (chatId: string) => ["todos", chatId] as const,
  people: (chatId: string) => ["people", chatId] as const,
  shares: (chatId: string) => ["shares", chatId] as const,
  shareLink: (kind: string, id: string) => ["share-link", kind, id] as const,
  shared: (kind: string, token: string) => ["shared", kind, token] as const,
  /** All that is known of teams. */
  teams: ["teams"] as const,
  userTeams: ["teams", "to-share-with"] as const,
  ownTeams: ["teams", "own"] as const,
  teamMembers: (id: string) => ["teams", id, "members"] as const,
  /** What the person themselves spent in their teams. */
  ownTeamUsage: ["teams", "own-usage"] as const,
  teamUsage: (id: string, month: string, withToday: boolean) => ["teams", id, "usage", month, withToday] as const,
  teamInvitations: (id: string) => ["teams", id, "invitations"] as const,
  /** What a link leads to; its invited reader sees more of it than others. */
  teamInvitation: (token: string, readerId: string | null) => ["team-invitation", token, readerId] as const,
};
