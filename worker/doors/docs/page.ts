import { html, raw } from "hono/html";
import { APP_NAME } from "#shared/app.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { OpenApi, Operation } from "./openapi.ts";
import { PAGE_STYLE } from "./page-style.ts";

/** One line of a field table: `field` is a path such as `models[].top_provider.context_length`. */
type Row = { field: string; type: string; required: boolean };

const REF = "#/components/schemas/";

/** The fields of a schema, nested ones by their path; named entities are named and not opened. */
function rowsOf(schema: JsonSchema, prefix = ""): Row[] {
  const { fields, suffix } = opened(schema);
  if (!fields.properties) return [];
  const required = new Set(fields.required);
  return Object.entries(fields.properties).flatMap(([name, property]) => {
    const field = `${prefix}${suffix}${prefix || suffix ? "." : ""}${name}`;
    return [{ field, type: typeOf(property), required: required.has(name) }, ...rowsOf(property, field)];
  });
}

/** The object behind lists and `null`s, with the `[]` that lead there. */
function opened(schema: JsonSchema, suffix = ""): { fields: JsonSchema; suffix: string } {
  if (schema.items) return opened(schema.items, `${suffix}[]`);
  const inner = schema.anyOf?.find((option) => option.properties ?? option.items);
  return inner ? opened(inner, suffix) : { fields: schema, suffix };
}

/** A schema's type in words: `text, at most 200`, `list of Model`, `number or null`. */
function typeOf(schema: JsonSchema): string {
  if (schema.$ref) return schema.$ref.replace(REF, "");
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(", ");
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  const type = [schema.type ?? "any"].flat().map(word).join(" or ");
  return [type, ...bounds(schema)].join(", ");
}

const TYPE_LABELS: Record<string, string> = { string: "text", boolean: "true or false", integer: "whole number" };

function word(type: string): string {
  return TYPE_LABELS[type] ?? type;
}

function bounds({ format, minLength, maxLength, minimum, maximum, default: fallback }: JsonSchema): string[] {
  const constraints: string[] = [];
  if (format) constraints.push(format);
  if (minLength !== undefined && minLength > 1) constraints.push(`at least ${minLength}`);
  if (maxLength !== undefined) constraints.push(`at most ${maxLength.toLocaleString("en")}`);
  if (minimum !== undefined && maximum !== undefined) constraints.push(`${minimum} to ${maximum}`);
  if (fallback !== undefined) constraints.push(`${JSON.stringify(fallback)} unless given`);
  return constraints;
}

type Html = ReturnType<typeof html>;
type Described = { method: string; path: string; operation: Operation };

/** The API's description as a page: no script, no asset, readable on paper and by a screen reader. */
export function docsPage(document: OpenApi): Html {
  const groups = groupByTag(document);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${document.info.title}</title>
        <style>
          ${raw(PAGE_STYLE)}
        </style>
      </head>
      <body>
        <a class="skip" href="#calls">Skip to the calls</a>
        <div class="frame">
          <nav aria-label="Calls">
            <ul>
              ${[...groups.keys()].map((tag) => html`<li><a href="#${tag}">${title(tag)}</a></li>`)}
              <li><a href="#entities">Entities</a></li>
            </ul>
          </nav>
          <main id="calls">
            <h1>${document.info.title}</h1>
            <p>${raw(codeSpans(document.info.description))}</p>
            <p class="meta">
              Version ${document.info.version}. The same as <a href="/api/openapi.json">OpenAPI 3.1</a>. <a href="/">Open ${APP_NAME}</a>
            </p>
            ${[...groups].map(
              ([tag, operations]) =>
                html`<section aria-labelledby="${tag}">
                  <h2 id="${tag}">${title(tag)}</h2>
                  ${operations.map(call)}
                </section>`,
            )}
            <section aria-labelledby="entities">
              <h2 id="entities">Entities</h2>
              ${Object.entries(document.components.schemas).map(([name, schema]) => entity(name, schema))}
            </section>
          </main>
        </div>
      </body>
    </html>`;
}

function call({ method, path, operation }: Described): Html {
  const body = operation.requestBody?.content["application/json"]?.schema;
  const parameters = operation.parameters.map(({ name, required, schema }) => ({ field: name, type: typeOf(schema), required }));
  return html`<article id="${operation.operationId}" aria-labelledby="${operation.operationId}-title">
    <h3 id="${operation.operationId}-title"><span class="method">${method.toUpperCase()}</span> <code>${path}</code></h3>
    <p>${raw(codeSpans(operation.summary))}. <span class="meta">${operation.description}</span></p>
    ${table("Parameters", parameters)} ${body ? fieldTable("Body", body) : ""}
    ${Object.entries(operation.responses).map(([status, answer]) => response(status, answer))}
  </article>`;
}

function response(status: string, { description, content }: Operation["responses"][string]): Html | string {
  // The failure is the same everywhere and is said once, above.
  if (status === "default") return "";
  const schema = content?.["application/json"]?.schema;
  return schema ? fieldTable(`Answer ${status}`, schema) : html`<p class="meta">Answer ${status}: ${description}</p>`;
}

function entity(name: string, schema: JsonSchema): Html {
  return html`<article id="${name}" aria-labelledby="${name}-title">
    <h3 id="${name}-title"><code>${name}</code></h3>
    ${fieldTable("Fields", schema)}
  </article>`;
}

function fieldTable(caption: string, schema: JsonSchema): Html {
  const rows = rowsOf(schema);
  return rows.length > 0 ? table(caption, rows) : html`<p class="meta">${caption}: ${typeOf(schema)}</p>`;
}

function table(caption: string, rows: readonly Row[]): Html {
  if (rows.length === 0) return html``;
  return html`<h4>${caption}</h4>
    <div class="scroll" tabindex="0" role="group" aria-label="${caption}">
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Type</th>
            <th scope="col">Presence</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                <td><code>${row.field}</code></td>
                <td>${row.type}</td>
                <td>${row.required ? "always" : "optional"}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

function groupByTag({ paths }: OpenApi): Map<string, Described[]> {
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  return Map.groupBy(described, ({ operation }) => operation.tags[0] ?? "api");
}

function title(tag: string): string {
  return tag.charAt(0).toUpperCase() + tag.slice(1);
}

/** Our own texts with their `code` marked up; they hold no markup of their own. */
function codeSpans(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return escaped.replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}
