import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { madeExport } from "#test/support/account-export.ts";
import { openTab } from "#test/support/live-tab.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { until } from "#test/support/until.ts";
import { ORIGIN, signIn } from "#test/support/worker.ts";

afterEach(() => void vi.useRealTimers());

it("a mail says that an export is ready, also to who looks at the product, and leads there by signing in", async () => {
  const person = await signIn();
  const tab = await openTab(person);
  tab.say({ chat_id: null, visible: true, typing: false, opened: true });
  await madeExport(person);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3 * 60_000 });
  await runDurableObjectAlarm(env.USER_HUB.getByName(person.user.id));
  vi.useRealTimers();
  const mail = await until("the mail", async () =>
    (await mailsTo(env.MAILBOX_SIMULATOR, person.email)).find(({ headers }) => headers["List-Unsubscribe"] !== undefined),
  );
  expect(mail.subject).toBe("‘Your export’ is ready");
  expect(mail.text).toContain("It can be downloaded for 24 hours, by you alone");
  expect(mail.text).toContain(`${ORIGIN}/auth/login?returnUrl=%2F%3Fsettings%3Ddata`);
});
