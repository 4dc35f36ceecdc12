import { expect, test } from "vitest";
import { ENDPOINTS } from "#shared/contracts/all.ts";
import { UNREAD_COUNT_MAX } from "#shared/limits.ts";
import { visit } from "#test/support/worker.ts";
import { buildOpenApi, type OpenApi } from "#worker/doors/docs/openapi.ts";

const perHour = { chats: 120, searches: 600, artifacts: 120, exports: 60 };

const DOCUMENTED = Object.entries(ENDPOINTS).flatMap(([name, { access }]) => (access === "admin" ? [] : [name]));

async function read(): Promise<OpenApi> {
  return (await visit("/api/openapi.json")).json<OpenApi>();
}

test("GET /api/openapi.json describes every contract but the administrators', which are no address for others, and nothing else", async () => {
  const { openapi, paths } = await read();
  const described = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  expect(openapi).toBe("3.1.0");
  expect(described.toSorted()).toEqual(DOCUMENTED.toSorted());
});

test("GET /api/openapi.json names path parameters, bodies, answers, failures and who may call", async () => {
  const { paths } = await read();
  expect(paths["/api/chat/{id}/messages"]?.["post"]).toMatchObject({
    parameters: [{ name: "id", in: "path", required: true }],
    security: [{}, { session: [] }],
    requestBody: { content: { "application/json": { schema: { required: expect.arrayContaining(["id", "content"]) } } } },
    responses: {
      200: { content: { "text/event-stream": {} } },
      202: {},
      default: { content: { "application/json": { schema: { $ref: "#/components/schemas/ErrorBody" } } } },
    },
  });
  expect(paths["/api/models"]?.["get"]?.security).toEqual([]);
  expect(paths["/api/chats"]?.["get"]?.parameters.find(({ name }) => name === "limit")).toMatchObject({
    in: "query",
    required: false,
    schema: { maximum: 100 },
  });
  expect(JSON.stringify(paths["/api/chats"]?.["get"]?.responses)).toMatch(
    new RegExp(`"unreadCount":\\{[^}]*"maximum":${UNREAD_COUNT_MAX}\\b`),
  );
});

test("GET /api/openapi.json has no two paths alike, all parameters of each, and the body of whatever takes one", async () => {
  const { paths } = await read();
  const shapes = Object.keys(paths).map((path) => path.replaceAll(/\{\w+\}/g, "{}"));
  expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([]);
  for (const [path, methods] of Object.entries(paths)) {
    const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
    for (const { parameters } of Object.values(methods)) {
      expect(parameters.filter((one) => one.in === "path").map(({ name }) => name)).toEqual(names);
    }
  }
  const puts = Object.values(paths).flatMap(({ put }) => (put && !put.requestBody ? [put.operationId] : []));
  expect(puts).toEqual(["addKnowledgeArtifact"]);
  expect(paths["/api/user/picture"]?.["put"]?.requestBody?.content).toHaveProperty("application/octet-stream");
});

test("GET /api/openapi.json says how often a key may ask at /v1", async () => {
  expect((await read()).info.description).toContain("Each key may ask 30 times in any 60 seconds and 5,000 times in any hour");
  expect(buildOpenApi({ version: "1", perMinute: 0, perHour }).info.description).toContain("Each key may ask 5,000 times in any hour");
});

test("GET /api/openapi.json says how often one person may begin, search, make and export something", () => {
  expect(buildOpenApi({ version: "1", perMinute: 0, perHour }).info.description).toContain(
    "In any hour one person may begin 120 chats, search 600 times, make 120 artifacts, export 60 chats; a guest a tenth.",
  );
});

test("GET /api/openapi.json has every entity that it refers to", () => {
  const document = buildOpenApi({ version: "1", perMinute: 30, perHour });
  const refs = JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  const missing = [...refs].map((match) => match[1] ?? "").filter((name) => !Object.hasOwn(document.components.schemas, name));
  expect(missing).toEqual([]);
  expect(JSON.stringify(document)).not.toContain("$defs");
});

test("GET /api/docs shows every call and entity on a page that loads and runs nothing", async () => {
  const response = await visit("/api/docs");
  const html = await response.text();
  expect(response.headers.get("content-type")).toContain("text/html");
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(html).not.toMatch(/<script|<link|<img|@import|url\(/);
  for (const name of DOCUMENTED) expect(html).toContain(`id="${name}"`);
  expect(html).toContain("<code>Model</code>");
  expect(html).toContain("top_provider.context_length");
});
