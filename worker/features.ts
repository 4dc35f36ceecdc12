import type { Features } from "#worker/conversation/features.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

const tools = loadOnce(() => import("./tools.ts"));
const contributors = loadOnce(() => import("./contributors.ts"));
const codeAgent = loadOnce(() => import("#worker/integrations/codegen/connection.ts"));
const google = loadOnce(() => import("#worker/integrations/google/connection.ts"));
const drive = loadOnce(() => import("#worker/integrations/google/drive/category.ts"));
const connections = loadOnce(() => import("#worker/integrations/mcp/categories.ts"));
const wanted = loadOnce(() => import("#worker/integrations/mcp/named-connections.ts"));
const sessions = loadOnce(() => import("#worker/integrations/mcp/turn-sessions.ts"));
const tokensOfGoogle = loadOnce(() => import("#worker/integrations/google/find-token.ts"));
const tokensOfServers = loadOnce(() => import("#worker/integrations/mcp/find-token.ts"));
const codeRuns = loadOnce(() => import("#worker/integrations/codegen/follow-run.ts"));
const calls = loadOnce(() => import("#worker/integrations/phone/follow-call.ts"));
const messaging = loadOnce(() => import("#worker/integrations/messaging/app.ts"));

/** What each feature brings to conversations. */
export const FEATURES: Features = {
  tools: async () => (await tools()).TOOLS,
  contributors: async () => (await contributors()).CONTRIBUTORS,
  categorySources: [
    async (db, userId) => ({ states: { codegen: await (await codeAgent()).codegenState(db, userId) } }),
    async (db, userId) => ({ states: { gmail: await (await google()).gmailState(db, userId) } }),
    async (db, userId) => ({ states: { "google-drive": await (await drive()).driveState(db, userId) } }),
    async (db, userId) => ({ added: await (await connections()).connectedCategories(db, userId) }),
  ],
  wantedConnections: async (db, question) => (await wanted()).namedConnections(db, question),
  openConnections: async (env, userId) => (await sessions()).openSessions(env, userId),
  findToken: async (place, of, refused) =>
    of.kind === "google"
      ? (await tokensOfGoogle()).findToken(place, refused)
      : (await tokensOfServers()).findToken(place, of.connectionId, refused),
  followers: {
    code: async () => (await codeRuns()).followRun,
    phone: async () => (await calls()).followCall,
  },
  messagingApp: async () => (await messaging()).messagingApp,
};
