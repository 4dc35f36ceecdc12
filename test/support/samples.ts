import { env } from "cloudflare:workers";
import type { Endpoint } from "#shared/contracts/endpoint.ts";
import { LIBRARY_FORMAT, LIBRARY_VERSION } from "#shared/library/library.ts";
import { exportedChat } from "./exported-chat.ts";
import { newPhoneNumber } from "./phones.ts";
import { png } from "./pictures.ts";

/** A chat that a sample is about. */
export type Target = { chatId: string; messageId: string; replyId: string };

/** What a browser says that subscribed to pushes, its key being RFC 8291's example. */
const newSubscription = () => ({
  endpoint: `${env.PUSH_SIMULATOR}/push/${crypto.randomUUID()}`,
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
});

/** Light enough for guests. */
const MODEL = "openai/gpt-5-nano";

/** A sound body for each call that takes one, by its contract's name; its ids are new each time. */
const BODIES: Record<string, (target: Target) => unknown> = {
  startEmailSignIn: () => ({ email: `${crypto.randomUUID()}@example.com` }),
  verifyEmailSignIn: () => ({ email: `${crypto.randomUUID()}@example.com`, code: "000000" }),
  signInByLink: () => ({ token: `${"x".repeat(43)}.${crypto.randomUUID()}@example.com` }),
  signOut: () => ({}),
  startAdditionalEmail: () => ({ email: `${crypto.randomUUID()}@example.com` }),
  verifyAdditionalEmail: () => ({ code: "000000" }),
  deleteAdditionalEmail: () => ({ email: `${crypto.randomUUID()}@example.com` }),
  startWhatsAppSetup: () => ({ phoneNumber: newPhoneNumber() }),
  verifyWhatsAppSetup: () => ({ code: "000000" }),
  checkEmailAuthentication: () => ({}),
  updateUser: () => ({ display_name: `Name ${crypto.randomUUID()}` }),
  deleteAccount: () => ({ email: `${crypto.randomUUID()}@example.com` }),
  putAllowlist: () => ({ model_allowlist: null }),
  putPreferences: () => ({ defaultToolCategories: [], enableCodegen: false }),
  putToolSettings: () => ({ settings: { parallelWebSearch: { enabled: false } } }),
  createPersona: () => ({ name: `Name ${crypto.randomUUID()}`, content: "Be brief." }),
  updatePersona: () => ({ name: `Name ${crypto.randomUUID()}` }),
  restorePersona: () => ({ version: 1 }),
  createMemory: () => ({ id: crypto.randomUUID(), text: `Fact ${crypto.randomUUID()}` }),
  updateMemory: () => ({ text: `Fact ${crypto.randomUUID()}` }),
  importMemories: () => ({ text: `Fact ${crypto.randomUUID()}` }),
  startAccountExport: () => ({ id: crypto.randomUUID() }),
  createApiKey: () => ({ id: crypto.randomUUID(), name: "Editor", scopes: ["chats"], budget: 5 }),
  updateApiKey: () => ({ name: `Name ${crypto.randomUUID()}` }),
  changePushKinds: () => ({ reply: false }),
  putPushDevice: () => newSubscription(),
  createPrompt: () => ({ name: `Name ${crypto.randomUUID()}`, content: "Say {{what}}." }),
  updatePrompt: () => ({ name: `Name ${crypto.randomUUID()}` }),
  createKnowledge: () => ({ name: `Name ${crypto.randomUUID()}`, text_content: "What we know." }),
  addDriveFiles: () => ({ files: [{ id: "text-demo-insurance-0001" }] }),
  updateKnowledge: () => ({ name: `Name ${crypto.randomUUID()}` }),
  importLibrary: () => ({
    format: LIBRARY_FORMAT,
    version: LIBRARY_VERSION,
    exported_at: "2026-11-20T09:41:00.000Z",
    personas: [],
    prompts: [{ name: `Name ${crypto.randomUUID()}`, content: "Say.", tool_categories: null, persona: null, model_id: null }],
  }),
  notePromptUse: () => ({ id: crypto.randomUUID() }),
  createMcpConnection: () => ({ name: `Name ${crypto.randomUUID()}`, server_url: "http://127.0.0.1:9/mcp", auth_type: "oauth" }),
  updateMcpConnection: () => ({ name: `Name ${crypto.randomUUID()}` }),
  testMcpConnection: () => ({ server_url: "http://127.0.0.1:9/mcp" }),
  acceptMcpTools: () => ({ seen: "" }),
  createInvite: () => ({ sent_to: `Label ${crypto.randomUUID()}` }),
  labelInvite: () => ({ sent_to: "Label" }),
  redeemInvite: () => ({}),
  signOutUser: () => ({}),
  blockUser: () => ({ reason: "Spam" }),
  unblockUser: () => ({}),
  deleteUser: () => ({ email: `${crypto.randomUUID()}@example.com`, reason: "Asked for it" }),
  changePlan: () => ({ plan: "team" }),
  decidePlans: () => ({ decision: "approve" }),
  settleFeedback: () => ({ done: true }),
  retryJob: () => ({}),
  giveCredits: () => ({ amount: 5, reason: "Thanks" }),
  createTeam: () => ({ name: `Team ${crypto.randomUUID()}` }),
  updateTeam: () => ({ name: `Team ${crypto.randomUUID()}` }),
  updateTeamBudgets: () => ({ each: 20 }),
  updateTeamMember: ({ messageId }) => ({ userId: messageId, role: "admin" }),
  sendTeamInvitation: ({ chatId }) => ({ teamId: chatId, email: `${crypto.randomUUID()}@example.com` }),
  cancelTeamInvitation: ({ replyId }) => ({ invitationId: replyId, status: "cancelled" }),
  acceptTeamInvitation: () => ({}),
  createChat: () => ({ title: `Title ${crypto.randomUUID()}` }),
  shareChat: () => ({ type: "user", email: `${crypto.randomUUID()}@example.com`, permissionLevel: "viewer", invite: true }),
  copyPublicChat: () => ({}),
  updateChat: () => ({ title: `Title ${crypto.randomUUID()}` }),
  changeChats: ({ chatId }) => ({ ids: [chatId], action: "pin" }),
  sayAttention: () => ({ visible: true }),
  sendMessage: ({ replyId }) => ({ id: crypto.randomUUID(), parent_id: replyId, content: "say sent", model_id: MODEL }),
  forkChat: ({ replyId }) => ({ messageId: replyId }),
  importChat: ({ messageId }) =>
    exportedChat([{ id: messageId, parent_id: null, role: "user", content: `Imported ${crypto.randomUUID()}` }]),
  beginImport: () => ({ id: crypto.randomUUID(), name: "export.zip", size: 8 }),
  generateChatSummary: () => ({ messages: [{ role: "user", content: `Topic ${crypto.randomUUID()}` }] }),
  addToQueue: () => ({ id: crypto.randomUUID(), content: "say queued", model_id: MODEL }),
  changeQueue: () => ({ paused: false }),
  renewMailAddress: () => ({}),
  sendMail: () => ({}),
  discardMail: () => ({}),
  remindOfMail: () => ({ by: new Date(Date.now() + 3_600_000).toISOString() }),
  decideSender: () => ({ decision: "block" }),
  connectCodegen: () => ({ orgId: "123", token: `cg-${crypto.randomUUID()}` }),
  stopRun: () => ({}),
  createSchedule: () => ({ id: crypto.randomUUID(), text: `Say ${crypto.randomUUID()}`, when: { kind: "daily", time: "08:00" } }),
  updateSchedule: () => ({ title: `Name ${crypto.randomUUID()}` }),
  runSchedule: () => ({}),
  createFolder: () => ({ id: crypto.randomUUID(), name: `Folder ${crypto.randomUUID()}` }),
  updateFolder: () => ({ name: `Folder ${crypto.randomUUID()}` }),
  restoreFolder: ({ chatId }) => ({ undo_token: chatId }),
  fileChats: ({ chatId }) => ({ chat_ids: [chatId], folder_id: null }),
  createTag: () => ({ name: crypto.randomUUID() }),
  updateTag: () => ({ name: crypto.randomUUID() }),
  tagChats: ({ chatId }) => ({ chat_ids: [chatId], add: [crypto.randomUUID()] }),
  putCallSettings: () => ({ from_hour: 8, until_hour: 20, calls_per_day: 5 }),
  decideToolCall: () => ({ decision: "approve" }),
  regenerateReply: () => ({ id: crypto.randomUUID(), model_id: MODEL }),
  editMessage: () => ({ id: crypto.randomUUID(), content: "say edited", model_id: MODEL }),
  createArtifact: () => ({ title: `Title ${crypto.randomUUID()}`, content: "Text" }),
  uploadMarkdown: () => ({ filename: "notes.md", content: `# ${crypto.randomUUID()}`, userId: crypto.randomUUID(), isAuthenticated: true }),
  updateArtifact: () => ({ title: `Title ${crypto.randomUUID()}` }),
  putArtifactContent: () => ({ content: `Text ${crypto.randomUUID()}`, base_version: 1 }),
  restoreArtifact: () => ({ version: 1 }),
  openedArtifact: () => ({ version: 1 }),
  shareArtifact: () => ({ type: "user", email: `${crypto.randomUUID()}@example.com`, permissionLevel: "viewer", invite: true }),
  sendFeedback: () => ({ message: `Feedback ${crypto.randomUUID()}` }),
};

/** An image that the product never offered. */
const MEDIA = { signature: "s".repeat(43), address: "aHR0cHM6Ly9leGFtcGxlLm9yZy9hLnBuZw" };

/** Bodies that are no JSON, and the query that goes with them. */
const FILES: Record<string, { query: string; body: () => string | Uint8Array<ArrayBuffer> }> = {
  putAttachment: { query: "?name=notes.txt", body: () => "plain text" },
  putArtifactFile: { query: "?name=a.png", body: () => png(1, 1) },
  putKnowledgeFile: { query: "?name=plan.png", body: () => png(1, 1) },
  putImportPart: { query: "", body: () => "[1, 2, 3" },
  putPicture: { query: "", body: () => png(1, 1) },
  transcribe: { query: "", body: () => `OggS ${crypto.randomUUID()}` },
};

/** Queries of calls that need one. */
const QUERIES: Record<string, (target: Target) => string> = {
  readPassage: () => "?from=0&to=1",
  readDrivePassage: () => "?from=0&to=1",
  openDrivePicker: () => "?channel=a-channel-of-its-own",
  offerImage: () => "?url=https%3A%2F%2Fexample.org%2Fa.png",
  removeTeamMember: ({ messageId }) => `?userId=${messageId}`,
  listTeamInvitations: ({ chatId }) => `?teamId=${chatId}`,
  listBalances: ({ chatId }) => `?ids=${chatId}`,
};

/** The path of a call about this chat: the path of `editMessage` names the question, every other the answer; a file's is new. */
export function pathOf(name: string, { path }: Endpoint, target: Target): string {
  const { chatId, messageId, replyId } = target;
  const values: Record<string, string> = {
    id: chatId,
    messageId: name === "editMessage" ? messageId : replyId,
    replyId,
    attachmentId: crypto.randomUUID(),
    callId: name === "stopRun" ? replyId : crypto.randomUUID(),
    // One is added under a new id; all else is about the one that is there.
    fileId: name.startsWith("put") ? crypto.randomUUID() : messageId,
    version: "1",
    number: "1",
    jobId: chatId.replaceAll("-", "").slice(0, 12),
    mailId: replyId,
    documentId: messageId,
    artifactId: replyId,
    // Where the call is about what a link opens, the target's name is its token.
    token: chatId,
    code: "0000-0000-0000",
    shareId: crypto.randomUUID(),
    ...MEDIA,
  };
  return path.replaceAll(/:(\w+)/g, (_, key: string) => values[key] ?? "") + (QUERIES[name]?.(target) ?? "");
}

/** A sound body for a call; undefined where it takes none. Throws for a call that has no sample yet. */
export function sampleBody(name: string, endpoint: Endpoint, target: Target): unknown {
  if (!endpoint.body) return undefined;
  const make = BODIES[name];
  if (!make) throw new Error(`test/support/samples.ts has no body for ${name}.`);
  return make(target);
}

/** A sound request of a call about this chat. */
export function sampleRequest(name: string, endpoint: Endpoint, target: Target): { path: string; init: RequestInit } {
  const body = sampleBody(name, endpoint, target);
  const init: RequestInit = { method: endpoint.method };
  const file = FILES[name];
  if (file) return { path: pathOf(name, endpoint, target) + file.query, init: { ...init, body: file.body() } };
  if (body !== undefined) {
    init.headers = { "content-type": "application/json" };
    init.body = JSON.stringify(body);
  }
  if (name === "openLive") init.headers = { upgrade: "websocket" };
  if (name === "followReply") init.headers = { accept: "text/event-stream", "last-event-id": "0.1" };
  return { path: pathOf(name, endpoint, target), init };
}

/** True for a call that is about a message of its chat. */
export function namesMessages(name: string, endpoint: Endpoint): boolean {
  const target = { chatId: crypto.randomUUID(), messageId: crypto.randomUUID(), replyId: crypto.randomUUID() };
  const asked = JSON.stringify(sampleRequest(name, endpoint, target));
  return asked.includes(target.messageId) || asked.includes(target.replyId);
}
