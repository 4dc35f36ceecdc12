import { clientMetadata, type OwnClient } from "#worker/platform/clients/mcp/oauth.ts";

/** Who a deployment at this origin is to authorization servers. */
export function oauthClientOf(origin: string): OwnClient {
  const base = `${origin}/api/mcp-connections`;
  return { origin, redirectUrl: `${base}/callback`, documentUrl: `${base}/client.json` };
}

/** The client ID metadata document: its address is the client's id. */
export function clientDocument(origin: string) {
  const own = oauthClientOf(origin);
  return { client_id: own.documentUrl, ...clientMetadata(own) };
}
