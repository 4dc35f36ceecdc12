import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { RESEARCH_TOOLS } from "#shared/research/research-tools.ts";
import { TOOL_CATEGORIES } from "#worker/people/tool-settings/categories.ts";
import { toolCall } from "#test/support/sample-tool-call.ts";
import { toolLineOf } from "#web/features/conversation/tools/tool-line.ts";
import { isKnownTool, presenterOf } from "#web/features/conversation/tools/presenters/registry.ts";
import { ToolDetails } from "#web/features/conversation/tools/tool-row.tsx";

const page = { url: "https://www.example.org/x", title: "A page", error: null };

function call(change: Partial<ToolCall>): ToolCall {
  return toolCall({ id: crypto.randomUUID(), tool: "linear__create_issue", input: { title: "Leak" }, status: "done", ...change });
}

/** The words of a call's details, in their order. */
function details(change: Partial<ToolCall>): string {
  const markup = renderToStaticMarkup(<ToolDetails call={call(change)} />);
  return markup
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll(/\s+/g, " ")
    .trim();
}

it("a tool that the web has never heard of has its id in words for a name, and says what it does by its id", () => {
  expect(presenterOf("linear__create_issue").name).toBe("Linear create issue");
  expect(toolLineOf(call({ status: "running" }), undefined).verb).toBe("Using linear__create_issue");
});

it("a tool that the web has never heard of shows what it read, got and gave as text", () => {
  expect(details({ output: '{"id":7}', sources: [page] })).toBe('Sources A page example.org Input { "title": "Leak" } Output { "id": 7 }');
  expect(details({ status: "failed", output: "No such team.", input: {} })).toBe("Error No such team.");
  expect(details({ output: null, input: null })).toBe("");
});

it("a tool that the web has never heard of counts the pages and images that came of it", () => {
  const figures = (change: Partial<ToolCall>) => presenterOf("linear__create_issue").figures(call(change));
  expect(figures({ sources: [page, { ...page, error: "Gone." }] })).toEqual(["1 result"]);
  expect(figures({ sources: [{ ...page, error: "Gone." }] })).toEqual(["1 failed"]);
  expect(figures({ images: [{ url: "/api/media/x", page_url: page.url, title: null }], sources: [page] })).toEqual(["1 image"]);
});

it("Every tool of the product is presented in words of its own", () => {
  const ids = [...TOOL_CATEGORIES.flatMap(({ toolIds }) => [...toolIds]), ...Object.values(RESEARCH_TOOLS)];
  expect(
    ids.filter(
      (id) =>
        !isKnownTool(id) ||
        presenterOf(id)
          .phrases(call({ tool: id }))
          .done.includes(id),
    ),
  ).toEqual([]);
});
