import { QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StorageView } from "#web/features/conversation/credits/storage-view.tsx";
import { keys, queryClient } from "#web/lib/query.ts";

function lines(): string[] {
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <StorageView />
    </QueryClientProvider>,
  );
  return [...markup.matchAll(/<p[^>]*>(.*?)<\/p>/g)].map(([, line = ""]) => line.replaceAll(/<[^>]*>/g, ""));
}

test("what is left of the quotas of storage and connections is shown, and its place is reserved until it is known", () => {
  expect(lines()).toEqual([expect.stringMatching(/^… of 5 GB used/), expect.stringMatching(/^… of 50 open/)]);
  const quotas = { storage: { used: 1024 ** 3, limit: 5 * 1024 ** 3 }, connections: { used: 3, limit: 50 } };
  queryClient.setQueryData(keys.quotas, quotas);
  expect(lines()).toEqual([expect.stringMatching(/^1 GB of 5 GB used/), expect.stringMatching(/^3 of 50 open/)]);
});
