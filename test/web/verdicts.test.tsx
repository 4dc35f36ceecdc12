import { QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { parseMarkdown } from "#shared/markdown/parse.ts";
import { ComparedModelsContext } from "#web/features/conversation/synthesis/sub-answers.ts";
import { StanceTable } from "#web/features/conversation/synthesis/stance-table.tsx";
import { ClaimRows } from "#web/features/conversation/truth-seeker/truth-row.tsx";
import { queryClient } from "#web/lib/query.ts";

const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

function stances(text: string): string {
  const [node] = parseMarkdown(text).children;
  if (node?.type !== "table") throw new Error("no table");
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <ComparedModelsContext
        value={[
          { name: "GPT-5.2", modelId: "openai/gpt-5.2" },
          { name: "Gemini", modelId: "google/gemini" },
        ]}
      >
        <StanceTable node={node} plain="as it is" />
      </ComparedModelsContext>
    </QueryClientProvider>,
  );
}

test("marks have words for who cannot see them, below the models' names", () => {
  const texts = textOf(
    stances("| Where they stand | GPT-5.2 | Gemini | Other |\n| - | - | - | - |\n| **Dispute** | | | |\n| It rained | ✓ | ✗ | |"),
  );
  expect(texts).toMatch(/Where they stand .*GPT-5\.2 .*Gemini .*Other .*Dispute It rained says so denies it/);
  expect(stances("| Year | Rent | Rise |\n| - | - | - |\n| 2024 | 12 | – |")).toBe("as it is");
});

test("claims have their verdict in words", () => {
  const claims = [
    { verdict: "holds", claim: "It burned.", reason: "Two sources say so." },
    { verdict: "unknown", claim: "All was lost.", reason: null },
  ] as const;
  expect(textOf(renderToStaticMarkup(<ClaimRows claims={claims} />))).toBe(
    "1 It burned. Two sources say so. Holds 2 All was lost. No evidence",
  );
});
