import { APP_NAME } from "#shared/app.ts";
import { ENDPOINTS } from "#shared/contracts/all.ts";
import type { Access, Endpoint } from "#shared/contracts/endpoint.ts";
import { ERRORS, ErrorBody } from "#shared/errors.ts";
import { COMPLETIONS_PER_HOUR } from "#shared/limits.ts";
import type { Config } from "#worker/platform/config/config.ts";
import { type JsonSchema, toJsonSchema } from "./json-schema.ts";

export type Parameter = { name: string; in: "path" | "query"; required: boolean; schema: JsonSchema };
export type Answer = { description: string; content?: Record<string, { schema: JsonSchema }> };
export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: true; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, Answer>;
};
export type OpenApi = {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, { type: string; in: string; name: string }> };
};

/** Administration is no address for whoever reads this. */
type Documented = Endpoint & { access: Exclude<Access, "admin"> };

function isDocumented(entry: [string, Endpoint]): entry is [string, Documented] {
  return entry[1].access !== "admin";
}

/** Who may call, in words. */
export const ACCESS_TEXT: Record<Documented["access"], string> = {
  anyone: "Needs no session.",
  visitor: "Needs no session: a visitor becomes a guest by calling it.",
  user: "Needs a session; a guest's will do.",
  account: "Needs the session of a signed-in account.",
};

const SECURITY: Record<Documented["access"], Record<string, string[]>[]> = {
  anyone: [],
  visitor: [{}, { session: [] }],
  user: [{ session: [] }],
  account: [{ session: [] }],
};

/** Answers that are not JSON, by the contract's name. */
const OTHER_ANSWERS: Record<string, { status: number; description: string; type?: string }> = {
  startGoogleSignIn: { status: 302, description: "To Google's sign-in page." },
  finishGoogleSignIn: { status: 302, description: "Back to where signing in was asked for." },
  openLive: { status: 101, description: "A WebSocket of live events." },
  followReply: { status: 200, description: "The reply's events.", type: "text/event-stream" },
};

/** The other answer of calls that begin a turn. */
const STREAMED: Answer = {
  description:
    "With `Accept: text/event-stream`: the reply's events, the first being `accepted` with what is answered otherwise. A connection that was lost goes on at the reply's own address.",
  content: { "text/event-stream": { schema: { type: "string" } } },
};

/** Bodies that are not JSON, by the contract's name: their media type. */
const OTHER_BODIES: Record<string, string> = {
  putArtifactFile: "application/octet-stream",
  putAttachment: "application/octet-stream",
  putImportPart: "application/octet-stream",
  putKnowledgeFile: "application/octet-stream",
  putPicture: "application/octet-stream",
  transcribe: "application/octet-stream",
};

type PerHour = Config["limits"]["perHour"];

/** How other programs ask models, which has OpenAI's own description, and how often. */
function describeCompletions(perMinute: number): string {
  const minute = perMinute > 0 ? `${perMinute} times in any 60 seconds and ` : "";
  return `Programs made for OpenAI's API ask models at \`/v1\` (\`GET /v1/models\`, \`POST /v1/chat/completions\`) with a key as their bearer token. \
Each key may ask ${minute}${COMPLETIONS_PER_HOUR.toLocaleString("en")} times in any hour; what is more answers 429 with the seconds to wait in \`retry-after\`.`;
}

/** What one person may do in an hour. */
function describeHour({ chats, searches, artifacts, exports }: PerHour): string {
  const hourlyLimits = [`begin ${chats} chats`, `search ${searches} times`, `make ${artifacts} artifacts`, `export ${exports} chats`].join(
    ", ",
  );
  return `In any hour one person may ${hourlyLimits}; a guest a tenth. What is more answers 429 with the seconds to wait in \`retry-after\`.`;
}

const INTRODUCTION = `Every failure answers \`{ error, code }\`. Requests that change something need an Origin header of this site. \
A POST without an id of its own in the body takes an Idempotency-Key header: its first answer is kept for a day. \
Times are ISO 8601 in UTC, ids are UUIDs, amounts are US dollars.`;

/** The API as an OpenAPI 3.1 document, made from the contracts that the Worker serves and the web calls. */
export function buildOpenApi({ version, perMinute, perHour }: { version: string; perMinute: number; perHour: PerHour }): OpenApi {
  const schemas: Record<string, JsonSchema> = { ErrorCode: { type: "string", enum: Object.keys(ERRORS) } };
  const failure = use(toJsonSchema(ErrorBody, "output"), schemas);
  const paths: OpenApi["paths"] = {};
  // Paths that differ in their parameters' names alone are one, with the names of the first.
  const known = new Map<string, string>();
  for (const [name, endpoint] of Object.entries(ENDPOINTS).filter(isDocumented)) {
    const own = endpoint.path.replaceAll(PARAMETER, "{$1}");
    const shape = endpoint.path.replaceAll(PARAMETER, "{}");
    const path = known.get(shape) ?? own;
    known.set(shape, path);
    const operation = describe(name, endpoint, { schemas, failure });
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: path === own ? operation : renamed(operation, { own, path }) };
  }
  return {
    openapi: "3.1.0",
    info: { title: `${APP_NAME} API`, version, description: `${INTRODUCTION} ${describeHour(perHour)} ${describeCompletions(perMinute)}` },
    servers: [{ url: "/" }],
    paths,
    components: { schemas, securitySchemes: { session: { type: "apiKey", in: "cookie", name: "__Host-session" } } },
  };
}

const PARAMETER = /:(\w+)/g;

/** An operation whose path parameters have the names of another path of the same shape. */
function renamed(operation: Operation, { own, path }: { own: string; path: string }): Operation {
  const names = (of: string) => Array.from(of.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
  const others = new Map(names(own).map((name, index) => [name, names(path)[index] ?? name]));
  const named = operation.parameters.map((one) => (one.in === "path" ? { ...one, name: others.get(one.name) ?? one.name } : one));
  return { ...operation, parameters: named };
}

type Shared = { schemas: Record<string, JsonSchema>; failure: JsonSchema };

function describe(name: string, endpoint: Documented, { schemas, failure }: Shared): Operation {
  const body = endpoint.body && use(toJsonSchema(endpoint.body, "input"), schemas);
  return {
    operationId: name,
    summary: endpoint.summary,
    description: ACCESS_TEXT[endpoint.access],
    tags: [endpoint.path.split(/[/.]/)[2] ?? "api"],
    security: SECURITY[endpoint.access],
    parameters: [...parameters(endpoint, "path", schemas), ...parameters(endpoint, "query", schemas)],
    ...requestBody(body, OTHER_BODIES[name]),
    responses: {
      ...success(name, endpoint, schemas),
      default: { description: "What went wrong.", content: { "application/json": { schema: failure } } },
    },
  };
}

function requestBody(body: JsonSchema | undefined, otherType: string | undefined): Pick<Operation, "requestBody"> {
  if (body) return { requestBody: { required: true, content: { "application/json": { schema: body } } } };
  return otherType ? { requestBody: { required: true, content: { [otherType]: { schema: { type: "string" } } } } } : {};
}

function parameters(endpoint: Endpoint, place: Parameter["in"], schemas: Shared["schemas"]): Parameter[] {
  const source = place === "path" ? endpoint.params : endpoint.query;
  if (!source) return [];
  const { properties = {}, required = [] } = use(toJsonSchema(source, "input"), schemas);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema,
  }));
}

function success(name: string, endpoint: Endpoint, schemas: Shared["schemas"]): Record<string, Answer> {
  if (endpoint.response) {
    const schema = use(toJsonSchema(endpoint.response, "output"), schemas);
    const description = endpoint.status === 202 ? "Accepted; follow the reply." : "Done.";
    const answer = { [endpoint.status]: { description, content: { "application/json": { schema } } } };
    return endpoint.streams ? { 200: STREAMED, ...answer } : answer;
  }
  const other = OTHER_ANSWERS[name] ?? { status: endpoint.status, description: endpoint.summary };
  const content = other.type ? { content: { [other.type]: { schema: { type: "string" } } } } : {};
  return { [other.status]: { description: other.description, ...content } };
}

/** Moves the entities a schema names to the document's components and hands back the schema. */
function use(made: ReturnType<typeof toJsonSchema>, schemas: Record<string, JsonSchema>): JsonSchema {
  Object.assign(schemas, made.named);
  return made.schema;
}
