import { Hono } from "hono";
import { DIAGRAM_FRAME } from "#shared/trusted-types.ts";
import { approvalRoutes } from "#worker/conversation/approvals/routes.ts";
import { attachmentRoutes } from "#worker/library/attachments/routes.ts";
import { sessionRoutes } from "#worker/people/auth/session-routes.ts";
import { chatRoutes } from "#worker/conversation/chats/routes.ts";
import { turnRoutes } from "#worker/conversation/chats/turn-routes.ts";
import { inboxRoutes } from "#worker/conversation/chats/inbox-routes.ts";
import { queueRoutes } from "#worker/conversation/chats/queue-routes.ts";
import { openDatabase, openForReading } from "#worker/platform/db/client.ts";
import { type AppContext, configOf } from "#worker/platform/env.ts";
import { requireFeedback } from "#worker/doors/feedback/require-feedback.ts";
import { boundBody } from "#worker/people/callers/body-bounds.ts";
import { serveDocument } from "#worker/people/callers/serve-document.ts";
import { errorResponse } from "#worker/platform/http/error-response.ts";
import { requireHttps } from "#worker/platform/http/https-only.ts";
import { logRequests } from "#worker/platform/http/log-requests.ts";
import { mountLater } from "#worker/platform/http/mount-later.ts";
import { networkOf } from "#worker/platform/requests/network-of.ts";
import { requireOwnOrigin } from "#worker/platform/http/origin.ts";
import { POLICY_REPORTS, securityHeaders } from "#worker/platform/http/security-headers.ts";
import { securityText } from "#worker/platform/http/security-text.ts";
import { session, affectsHub } from "#worker/people/callers/session.ts";
import { unknownCall } from "#worker/platform/http/unknown-call.ts";
import { readUnreadBody } from "#worker/platform/http/unread-body.ts";
import { modelRoutes } from "#worker/people/models/routes.ts";
import { personaRoutes } from "#worker/library/personas/routes.ts";
import { preferenceRoutes } from "#worker/people/preferences/routes.ts";
import { redirectVisitors } from "#worker/conversation/public-page/redirect-visitors.ts";
import { searchRoutes } from "#worker/conversation/search/routes.ts";
import { checkTriggered } from "#worker/conversation/tool-settings/triggered.ts";
import { toolSettingRoutes } from "#worker/conversation/tool-settings/routes.ts";
import { userRoutes } from "#worker/people/profile/routes.ts";
import { FEATURES } from "./features.ts";

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
// The platform may cancel a request whose client is gone: what ends a session or sets something goes on, so its hub is notified.
app.use(async (c, next) => {
  const done = next();
  if (affectsHub(c)) c.executionCtx.waitUntil(done);
  await done;
});
// The mail service's events come from no page of ours; their signature is the proof.
mountLater(app, ["/api/mail/webhook"], async () => (await import("#worker/mail/bounces/webhook.ts")).mailWebhook);
mountLater(app, ["/api/phone/webhook/*"], async () => (await import("#worker/integrations/phone/webhook.ts")).phoneWebhook);
mountLater(app, ["/api/whatsapp/webhook"], async () => (await import("#worker/integrations/messaging/webhook.ts")).messagingWebhook);
mountLater(app, ["/api/deployment/turn"], async () => (await import("#worker/doors/deployment/routes.ts")).deploymentRoutes);
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
userRoutes(app, ({ env, var: { db } }, caller, patch) => checkTriggered({ env, db, features: FEATURES }, caller, patch));
preferenceRoutes(app);
personaRoutes(app);
toolSettingRoutes(app, FEATURES);
modelRoutes(app);
chatRoutes(app);
turnRoutes(app, FEATURES);
queueRoutes(app);
approvalRoutes(app);
searchRoutes(app);
inboxRoutes(app);
attachmentRoutes(app);

mountLater(app, GOOGLE, async () => (await import("#worker/integrations/google/routes.ts")).googleRoutes);
mountLater(app, ["/api/auth/*"], async () =>
  (await import("#worker/people/auth/routes.ts")).authRoutes(
    (await import("#worker/conversation/sharing/invitations.ts")).acceptOrQueueInvitations,
  ),
);
mountLater(app, ["/api/email/*"], async () => (await import("#worker/people/additional-emails/routes.ts")).additionalEmailRoutes);
mountLater(
  app,
  ["/api/whatsapp/setup", "/api/whatsapp/setup/*"],
  async () => (await import("#worker/integrations/messaging-setup/routes.ts")).messagingSetupRoutes,
);
mountLater(
  app,
  ["/api/usage", "/api/usage.csv", "/api/quotas"],
  async () => (await import("#worker/conversation/usage/routes.ts")).usageRoutes,
);
mountLater(app, [...A_PROMPT_SHARED, "/api/shared/*"], async () => (await import("#worker/library/share-links/routes.ts")).shareLinkRoutes);
mountLater(app, ["/api/template-messages/*"], async () => (await import("#worker/library/prompts/routes.ts")).promptRoutes);
mountLater(app, ["/api/imports/*"], async () => (await import("#worker/account/imports/routes.ts")).importRoutes);
mountLater(app, ["/api/memories/*", "/api/memory/*"], async () => (await import("#worker/library/memories/routes.ts")).memoryRoutes);
mountLater(app, ["/api/mcp-connections/*"], async () => (await import("#worker/integrations/mcp/routes.ts")).mcpRoutes);
mountLater(
  app,
  ["/api/user-contexts/:id/documents/*"],
  async () => (await import("#worker/library/knowledge/lookup/routes.ts")).passageRoutes,
);
mountLater(
  app,
  ["/api/user-contexts/:id/drive"],
  async () => (await import("#worker/integrations/google/drive/knowledge/routes.ts")).knowledgeDriveRoutes,
);
mountLater(app, ["/api/user-contexts/*"], async () => (await import("#worker/library/knowledge/routes.ts")).knowledgeRoutes);
mountLater(app, ["/api/library"], async () => (await import("#worker/library/library-file/routes.ts")).libraryRoutes);
mountLater(app, COPIES, async () => (await import("#worker/conversation/chats/copy-routes.ts")).copyRoutes);
mountLater(app, SHARING, async () => (await import("#worker/conversation/sharing/routes.ts")).sharingRoutes);
mountLater(app, TEAM_USAGE, async () => (await import("#worker/conversation/team-usage/routes.ts")).teamUsageRoutes);
mountLater(app, ["/api/teams/*", "/api/user/teams"], async () => (await import("#worker/people/teams/routes.ts")).teamRoutes);
mountLater(app, ["/api/invites/*"], async () => (await import("#worker/people/invites/routes.ts")).inviteRoutes);
mountLater(app, ["/api/public/*"], async () => (await import("#worker/conversation/public-chats/routes.ts")).publicChatRoutes);
mountLater(app, ["/api/artifacts/*"], async () => (await import("#worker/library/artifacts/routes.ts")).artifactRoutes);
mountLater(app, ["/api/chat/:id/emails/*"], async () => (await import("#worker/mail/chat-address/routes.ts")).mailRoutes);
mountLater(
  app,
  ["/api/user", "/api/user/deletion"],
  async () => (await import("#worker/account/account-deletion/routes.ts")).accountDeletionRoutes,
);
mountLater(app, ["/api/user/call-settings"], async () => (await import("#worker/integrations/phone/routes.ts")).phoneRoutes);
mountLater(app, ["/api/google/drive/*"], async () => (await import("#worker/integrations/google/drive/routes.ts")).driveRoutes);
mountLater(app, CODEGEN, async () => (await import("#worker/integrations/codegen/routes.ts")).codegenRoutes);
mountLater(
  app,
  ["/api/chat/:id/runs", "/api/chat/:id/runs/*"],
  async () => (await import("#worker/conversation/chats/run-routes.ts")).runRoutes,
);
mountLater(
  app,
  ["/api/media/*", "/api/chat/:id/messages/:messageId/image"],
  async () => (await import("#worker/library/media/routes.ts")).mediaRoutes,
);
mountLater(app, ["/api/schedules/*"], async () => (await import("#worker/conversation/schedules/routes.ts")).scheduleRoutes(FEATURES));
mountLater(app, ["/api/folders/*", "/api/tags/*"], async () => (await import("#worker/conversation/folders/routes.ts")).folderRoutes);
mountLater(app, ["/api/transcriptions"], async () => (await import("#worker/conversation/transcriptions/routes.ts")).transcriptionRoutes);
mountLater(app, ["/api/feedback"], async () => (await import("#worker/doors/feedback/routes.ts")).feedbackRoutes);
mountLater(app, ["/api/admin/*"], async () => (await import("#worker/doors/admin/routes.ts")).adminRoutes);
mountLater(app, ["/api/admin/*"], async () => (await import("#worker/doors/admin/operation/routes.ts")).operationRoutes);
mountLater(app, ["/api/account/export/*"], async () => (await import("#worker/account/account-export/routes.ts")).accountExportRoutes);
mountLater(app, ["/api/docs", "/api/openapi.json"], async () => (await import("#worker/doors/docs/routes.ts")).docsRoutes);
mountLater(app, ["/api/keys/*"], async () => (await import("#worker/people/api-keys/routes.ts")).apiKeyRoutes);
mountLater(app, ["/api/push/*"], async () => (await import("#worker/mail/push/routes.ts")).pushRoutes);
mountLater(app, ["/artifact-frame"], async () => (await import("#worker/library/artifacts/frame.ts")).frameRoutes);
mountLater(app, [DIAGRAM_FRAME], async () => (await import("#worker/library/diagrams/frame.ts")).diagramFrameRoutes);
mountLater(app, [POLICY_REPORTS], async () => (await import("#worker/platform/policy-reports/routes.ts")).policyReportRoutes);
mountLater(app, ["/share"], async () => (await import("#worker/doors/share-target/routes.ts")).shareTargetRoutes);
mountLater(app, ["/unsubscribe/*"], async () => (await import("#worker/mail/notifications/routes.ts")).notificationRoutes);
mountLater(app, ["/not-me/*"], async () => (await import("#worker/people/alerts/routes.ts")).alertRoutes);

// Other programs come with a key instead of a cookie, and from no page of ours.
mountLater(app, ["/mcp"], async () =>
  (await import("#worker/doors/tool-server/routes.ts")).toolServerRoutes((request, ...rest) => app.fetch(request, ...rest)),
);
mountLater(app, ["/v1/*"], async () => (await import("#worker/doors/completions/routes.ts")).completionRoutes);

app.all("/api/*", unknownCall);
mountLater(app, ["/p/*"], async () => (await import("#worker/conversation/public-page/routes.ts")).publicPageRoutes);
app.get("/c/:id", redirectVisitors);
app.get("/.well-known/security.txt", securityText);
app.all("*", serveDocument);
