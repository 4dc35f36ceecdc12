import { Hono } from "hono";
import { DIAGRAM_FRAME } from "#shared/trusted-types.ts";
import { approvalRoutes } from "./approvals/routes.ts";
import { attachmentRoutes } from "./attachments/routes.ts";
import { sessionRoutes } from "./auth/session-routes.ts";
import { chatRoutes } from "./chats/routes.ts";
import { turnRoutes } from "./chats/turn-routes.ts";
import { inboxRoutes } from "./chats/inbox-routes.ts";
import { queueRoutes } from "./chats/queue-routes.ts";
import { openDatabase, openForReading } from "./db/client.ts";
import { type AppContext, configOf } from "./env.ts";
import { requireFeedback } from "./feedback/require-feedback.ts";
import { boundBody } from "./http/body-bounds.ts";
import { serveDocument } from "./http/documents.ts";
import { errorResponse } from "./http/error-response.ts";
import { requireHttps } from "./http/https-only.ts";
import { logRequests } from "./http/log-requests.ts";
import { mountLater } from "./http/mount-later.ts";
import { networkOf } from "./http/network-of.ts";
import { requireOwnOrigin } from "./http/origin.ts";
import { POLICY_REPORTS, securityHeaders } from "./http/security-headers.ts";
import { securityText } from "./http/security-text.ts";
import { session, tellsHub } from "./http/session.ts";
import { unknownCall } from "./http/unknown-call.ts";
import { readUnreadBody } from "./http/unread-body.ts";
import { modelRoutes } from "./models/routes.ts";
import { personaRoutes } from "./personas/routes.ts";
import { preferenceRoutes } from "./preferences/routes.ts";
import { redirectVisitors } from "./public-page/redirect-visitors.ts";
import { searchRoutes } from "./search/routes.ts";
import { toolSettingRoutes } from "./tool-settings/routes.ts";
import { userRoutes } from "./users/routes.ts";

/** Where it matters who asks. */
const KNOWN_CALLER = ["/api/*", "/p/*", "/admin"];

/** What of a feature stands under another's address. */
const A_PROMPT_SHARED = ["template-messages", "user-system-prompts", "user-contexts"].map((kind) => `/api/${kind}/:id/share`);
const COPIES = ["/api/chat/:id/export", "/api/chat/:id/fork", "/api/chats/import", "/api/generate-chat-summary"];
const SHARING = ["membership", "people", "share", "shares/*", "team-shares/*"].map((path) => `/api/chat/:id/${path}`);
const CODEGEN = ["/api/codegen/connection-status", "/api/codegen/connect"];
const GOOGLE = ["/api/auth/gmail/*", "/api/gmail/connection-status"];
const TEAM_USAGE = ["/api/user/team-usage", ...["budgets", "usage", "usage.csv"].map((path) => `/api/teams/:id/${path}`)];

/** The Worker's table of contents: what every request passes, then the features' routes. */
export const app = new Hono<AppContext>();

app.onError(errorResponse);
app.use(readUnreadBody);
app.use(securityHeaders);
// A Worker has no start that could report a broken variable, so every request does.
app.use(async (c, next) => {
  configOf(c.env);
  await next();
});
app.use(logRequests);
app.use(requireHttps);
app.use(boundBody);
// The platform may cancel a request whose client is gone: what ends a session or sets something goes on, so its hub hears of it.
app.use(async (c, next) => {
  const done = next();
  if (tellsHub(c)) c.executionCtx.waitUntil(done);
  await done;
});
// The mail service's events come from no page of ours; their signature is the proof.
mountLater(app, ["/api/mail/webhook"], async () => (await import("./returns/webhook.ts")).mailWebhook);
mountLater(app, ["/api/phone/webhook/*"], async () => (await import("./phone/webhook.ts")).phoneWebhook);
mountLater(app, ["/api/whatsapp/webhook"], async () => (await import("./messaging/webhook.ts")).messagingWebhook);
mountLater(app, ["/api/deployment/turn"], async () => (await import("./deployment/routes.ts")).deploymentRoutes);
app.on("ALL", KNOWN_CALLER, requireOwnOrigin);
app.post("/api/feedback", requireFeedback);
app.on("ALL", KNOWN_CALLER, async (c, next) => {
  c.set("db", c.req.method === "GET" ? openForReading(c.env.DB) : openDatabase(c.env.DB));
  c.set("ip", networkOf(c.req.header("cf-connecting-ip") ?? "local"));
  await next();
});
app.on("ALL", KNOWN_CALLER, session);

// What the first screen and a turn ask for is there from the start; everything else is loaded with the first request for it.
sessionRoutes(app);
userRoutes(app);
preferenceRoutes(app);
personaRoutes(app);
toolSettingRoutes(app);
modelRoutes(app);
chatRoutes(app);
turnRoutes(app);
queueRoutes(app);
approvalRoutes(app);
searchRoutes(app);
inboxRoutes(app);
attachmentRoutes(app);

mountLater(app, GOOGLE, async () => (await import("./google/routes.ts")).googleRoutes);
mountLater(app, ["/api/auth/*"], async () => (await import("./auth/routes.ts")).authRoutes);
mountLater(app, ["/api/email/*"], async () => (await import("./additional-emails/routes.ts")).additionalEmailRoutes);
mountLater(
  app,
  ["/api/whatsapp/setup", "/api/whatsapp/setup/*"],
  async () => (await import("./messaging-setup/routes.ts")).messagingSetupRoutes,
);
mountLater(app, ["/api/usage", "/api/usage.csv", "/api/quotas"], async () => (await import("./usage/routes.ts")).usageRoutes);
mountLater(app, [...A_PROMPT_SHARED, "/api/shared/*"], async () => (await import("./share-links/routes.ts")).shareLinkRoutes);
mountLater(app, ["/api/template-messages/*"], async () => (await import("./prompts/routes.ts")).promptRoutes);
mountLater(app, ["/api/imports/*"], async () => (await import("./imports/routes.ts")).importRoutes);
mountLater(app, ["/api/memories/*", "/api/memory/*"], async () => (await import("./memories/routes.ts")).memoryRoutes);
mountLater(app, ["/api/mcp-connections/*"], async () => (await import("./mcp/routes.ts")).mcpRoutes);
mountLater(app, ["/api/user-contexts/:id/documents/*"], async () => (await import("./passages/routes.ts")).passageRoutes);
mountLater(app, ["/api/user-contexts/:id/drive"], async () => (await import("./knowledge/drive/routes.ts")).knowledgeDriveRoutes);
mountLater(app, ["/api/user-contexts/*"], async () => (await import("./knowledge/routes.ts")).knowledgeRoutes);
mountLater(app, ["/api/library"], async () => (await import("./library/routes.ts")).libraryRoutes);
mountLater(app, COPIES, async () => (await import("./chats/copy-routes.ts")).copyRoutes);
mountLater(app, SHARING, async () => (await import("./sharing/routes.ts")).sharingRoutes);
mountLater(app, TEAM_USAGE, async () => (await import("./team-usage/routes.ts")).teamUsageRoutes);
mountLater(app, ["/api/teams/*", "/api/user/teams"], async () => (await import("./teams/routes.ts")).teamRoutes);
mountLater(app, ["/api/invites/*"], async () => (await import("./invites/routes.ts")).inviteRoutes);
mountLater(app, ["/api/public/*"], async () => (await import("./public-chats/routes.ts")).publicChatRoutes);
mountLater(app, ["/api/artifacts/*"], async () => (await import("./artifacts/routes.ts")).artifactRoutes);
mountLater(app, ["/api/chat/:id/emails/*"], async () => (await import("./mail/routes.ts")).mailRoutes);
mountLater(app, ["/api/user", "/api/user/deletion"], async () => (await import("./account-deletion/routes.ts")).accountDeletionRoutes);
mountLater(app, ["/api/user/call-settings"], async () => (await import("./phone/routes.ts")).phoneRoutes);
mountLater(app, ["/api/google/drive/*"], async () => (await import("./drive/routes.ts")).driveRoutes);
mountLater(app, CODEGEN, async () => (await import("./codegen/routes.ts")).codegenRoutes);
mountLater(app, ["/api/chat/:id/runs", "/api/chat/:id/runs/*"], async () => (await import("./chats/run-routes.ts")).runRoutes);
mountLater(app, ["/api/media/*", "/api/chat/:id/messages/:messageId/image"], async () => (await import("./media/routes.ts")).mediaRoutes);
mountLater(app, ["/api/schedules/*"], async () => (await import("./schedules/routes.ts")).scheduleRoutes);
mountLater(app, ["/api/folders/*", "/api/tags/*"], async () => (await import("./folders/routes.ts")).folderRoutes);
mountLater(app, ["/api/transcriptions"], async () => (await import("./transcriptions/routes.ts")).transcriptionRoutes);
mountLater(app, ["/api/feedback"], async () => (await import("./feedback/routes.ts")).feedbackRoutes);
mountLater(app, ["/api/admin/*"], async () => (await import("./admin/routes.ts")).adminRoutes);
mountLater(app, ["/api/admin/*"], async () => (await import("./admin/operation/routes.ts")).operationRoutes);
mountLater(app, ["/api/account/export/*"], async () => (await import("./account-export/routes.ts")).accountExportRoutes);
mountLater(app, ["/api/docs", "/api/openapi.json"], async () => (await import("./docs/routes.ts")).docsRoutes);
mountLater(app, ["/api/keys/*"], async () => (await import("./api-keys/routes.ts")).apiKeyRoutes);
mountLater(app, ["/api/push/*"], async () => (await import("./push/routes.ts")).pushRoutes);
mountLater(app, ["/artifact-frame"], async () => (await import("./artifacts/frame.ts")).frameRoutes);
mountLater(app, [DIAGRAM_FRAME], async () => (await import("./diagrams/frame.ts")).diagramFrameRoutes);
mountLater(app, [POLICY_REPORTS], async () => (await import("./policy-reports/routes.ts")).policyReportRoutes);
mountLater(app, ["/share"], async () => (await import("./share-target/routes.ts")).shareTargetRoutes);
mountLater(app, ["/unsubscribe/*"], async () => (await import("./notifications/routes.ts")).notificationRoutes);
mountLater(app, ["/not-me/*"], async () => (await import("./alerts/routes.ts")).alertRoutes);

// Other programs come with a key instead of a cookie, and from no page of ours.
mountLater(app, ["/mcp"], async () =>
  (await import("./tool-server/routes.ts")).toolServerRoutes((request, ...rest) => app.fetch(request, ...rest)),
);
mountLater(app, ["/v1/*"], async () => (await import("./completions/routes.ts")).completionRoutes);

app.all("/api/*", unknownCall);
mountLater(app, ["/p/*"], async () => (await import("./public-page/routes.ts")).publicPageRoutes);
app.get("/c/:id", redirectVisitors);
app.get("/.well-known/security.txt", securityText);
app.all("*", serveDocument);
