import { QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { ToolApproval } from "#shared/entities/tool-call.ts";
import { toolCall } from "#test/support/sample-tool-call.ts";
import { ApprovalCard } from "#web/features/tools/approval-card.tsx";
import { queryClient } from "#web/lib/query.ts";

function render(approval: Partial<ToolApproval>): string {
  const user = { id: crypto.randomUUID(), display_name: "Lena" };
  const call = toolCall({
    id: crypto.randomUUID(),
    tool: "sendEmail",
    input: { to: "marta@example.pt" },
    approval: { user, decision: null, ...approval },
  });
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <ApprovalCard chatId={crypto.randomUUID()} call={call} onFocusLost={() => {}} />
    </QueryClientProvider>,
  );
}

it("An approval card offers to allow its tool always; where that is so already, it says why it asks", () => {
  expect(render({})).toContain("Always allow ‘Send email’");
  expect(render({})).not.toContain("You always allow this");
  const again = render({ isAskedAgain: true });
  expect(again).toContain("You always allow this. It asks all the same, as the model has read what others wrote");
  expect(again).not.toContain("Always allow ‘");
});
