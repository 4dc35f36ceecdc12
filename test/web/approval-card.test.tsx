import { QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, it, vi } from "vitest";
import type { ToolApproval } from "#shared/entities/tool-call.ts";
import { toolCall } from "#test/support/sample-tool-call.ts";
import { ApprovalCard } from "#web/features/conversation/tools/approval-card.tsx";
import { keys, queryClient } from "#web/lib/query.ts";

afterEach(() => {
  vi.useRealTimers();
  queryClient.clear();
});

const MAIL = { tool: "sendEmail", input: { to: "marta@example.pt" } };

function render(approval: Partial<ToolApproval>, { tool, input }: { tool: string; input: unknown } = MAIL): string {
  const user = { id: crypto.randomUUID(), display_name: "Lena" };
  const call = toolCall({ id: crypto.randomUUID(), tool, input, approval: { user, decision: null, ...approval } });
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

it("Outside of a person's calling hours the card of a call offers to wait until they begin, or to call now", () => {
  const call = { tool: "blandCall", input: { phone_number: "+14155550123", task: "Hello", max_duration: 5 } };
  const at = (time: string) => {
    vi.useFakeTimers({ now: new Date(time), toFake: ["Date"] });
    queryClient.setQueryData(keys.callSettings, {
      from_hour: 8,
      until_hour: 20,
      calls_per_day: 5,
      time_zone: "Europe/Berlin",
      price_per_minute: 0.14,
    });
    return render({}, call);
  };
  const night = at("2026-11-20T21:10:00Z");
  expect(night).toContain("It is 22:10 in Europe/Berlin. Your calls go out from 8:00 to 20:00. It can wait until then by itself");
  expect(night).toContain(">Call tomorrow at 8:00<");
  expect(night).toContain(">Call now<");
  expect(night).not.toContain(">Approve<");
  expect(at("2026-11-20T05:10:00Z")).toContain(">Call at 8:00<");
  const day = at("2026-11-20T09:10:00Z");
  expect(day).toContain(">Approve<");
  expect(day).not.toContain("Call now");
});
