import { Hono } from "hono";
import { sendFeedback } from "#shared/contracts/feedback.ts";
import { adminRoutes } from "./admin/routes.ts";
import { additionalEmailRoutes } from "./additional-emails/routes.ts";
import { operationRoutes } from "./admin/operation/routes.ts";
import { approvalRoutes } from "./approvals/routes.ts";
import { attachmentRoutes } from "./attachments/routes.ts";
import { authRoutes } from "./auth/routes.ts";
import { chatRoutes } from "./chats/routes.ts";
import { turnRoutes } from "./chats/turn-routes.ts";
import { copyRoutes } from "./chats/copy-routes.ts";
import { inboxRoutes } from "./chats/inbox-routes.ts";
import { queueRoutes } from "./chats/queue-routes.ts";
import { openDatabase } from "./db/client.ts";
import { docsRoutes } from "./docs/routes.ts";
import { type AppContext, configOf } from "./env.ts";
import { feedbackRoutes, requireFeedback } from "./feedback/routes.ts";
import { serveDocument } from "./http/documents.ts";
import { errorResponse } from "./http/error-response.ts";
import { networkOf } from "./http/network-of.ts";
import { requireOwnOrigin } from "./http/origin.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { session } from "./http/session.ts";
import { unknownCall } from "./http/unknown-call.ts";
import { readUnreadBody } from "./http/unread-body.ts";
import { inviteRoutes } from "./invites/routes.ts";
import { libraryRoutes } from "./library/routes.ts";
import { mailRoutes } from "./mail/routes.ts";
import { mediaRoutes } from "./media/routes.ts";
import { modelRoutes } from "./models/routes.ts";
import { publicPageRoutes } from "./public-page/routes.ts";
import { personaRoutes } from "./personas/routes.ts";
import { preferenceRoutes } from "./preferences/routes.ts";
import { promptRoutes } from "./prompts/routes.ts";
import { publicChatRoutes } from "./public-chats/routes.ts";
import { notificationRoutes } from "./notifications/routes.ts";
import { mailWebhook } from "./returns/webhook.ts";
import { shareLinkRoutes } from "./share-links/routes.ts";
import { sharingRoutes } from "./sharing/routes.ts";
import { searchRoutes } from "./search/routes.ts";
import { usageRoutes } from "./usage/routes.ts";
import { teamUsageRoutes } from "./team-usage/routes.ts";
import { teamRoutes } from "./teams/routes.ts";
import { toolSettingRoutes } from "./tool-settings/routes.ts";
import { transcriptionRoutes } from "./transcriptions/routes.ts";
import { userRoutes } from "./users/routes.ts";

/** Where it matters who asks. */
const KNOWN_CALLER = ["/api/*", "/p/*", "/admin"];

/** The Worker's table of contents: what every request passes, then the features' routes. */
export const app = new Hono<AppContext>();

app.onError(errorResponse);
app.use(readUnreadBody);
app.use(securityHeaders);
// A Worker has no start at which a broken variable could be told: every request tells it.
app.use(async (c, next) => {
  configOf(c.env);
  await next();
});
mailWebhook(app);
app.on("ALL", KNOWN_CALLER, requireOwnOrigin);
app.post(sendFeedback.path, requireFeedback);
app.on("ALL", KNOWN_CALLER, async (c, next) => {
  c.set("db", openDatabase(c.env.DB));
  c.set("ip", networkOf(c.req.header("cf-connecting-ip") ?? "local"));
  await next();
});
app.on("ALL", KNOWN_CALLER, session);

authRoutes(app);
userRoutes(app);
additionalEmailRoutes(app);
usageRoutes(app);
preferenceRoutes(app);
personaRoutes(app);
promptRoutes(app);
libraryRoutes(app);
toolSettingRoutes(app);
modelRoutes(app);
chatRoutes(app);
turnRoutes(app);
queueRoutes(app);
approvalRoutes(app);
searchRoutes(app);
inboxRoutes(app);
copyRoutes(app);
sharingRoutes(app);
shareLinkRoutes(app);
teamRoutes(app);
teamUsageRoutes(app);
inviteRoutes(app);
publicChatRoutes(app);
attachmentRoutes(app);
mailRoutes(app);
mediaRoutes(app);
transcriptionRoutes(app);
feedbackRoutes(app);
adminRoutes(app);
operationRoutes(app);
docsRoutes(app);
notificationRoutes(app);

app.all("/api/*", unknownCall);
publicPageRoutes(app);
app.all("*", serveDocument);
