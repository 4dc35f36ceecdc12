import type { Context, Hono } from "hono";
import { APP_NAME } from "#shared/app.ts";
import { changePushKinds, deletePushDevice, getPush, putPushDevice, testPushDevice } from "#shared/contracts/account/push.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { type AppContext, configOf } from "#worker/platform/env.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import type { PushConfig } from "#worker/platform/config/push.ts";
import { addDevice, listDevices, removeDevice } from "./devices.ts";
import { changeKinds, pushSettings } from "./push-settings.ts";
import { sendToDevice } from "./send-to-device.ts";
import { selectDevice } from "./queries.ts";

/** Tests, and subscriptions, that one person makes in an hour. */
const TESTS_PER_HOUR = 20;
const SUBSCRIPTIONS_PER_HOUR = 60;

/** Mounts the caller's devices that are notified by web push. */
export function pushRoutes(app: Hono<AppContext>): void {
  serve(app, getPush, async ({ c, caller }) => {
    const { publicKey } = requirePush(c);
    const settings = await pushSettings(c.var.db, caller.userId);
    if (!settings) throw new AppError("UNAUTHENTICATED");
    return { publicKey, devices: await listDevices(c.var.db, caller), kinds: settings.kinds };
  });

  serve(app, changePushKinds, async ({ c, caller, body }) => {
    requirePush(c);
    const kinds = await changeKinds(c.var.db, caller.userId, body);
    await hubOf(c.env, caller.userId).noteUserChanged();
    return { kinds };
  });

  serve(app, putPushDevice, async ({ c, caller, body }) => {
    const config = requirePush(c);
    await countOrRefuse(c.env, `push-devices:${caller.userId}`, hourly(SUBSCRIPTIONS_PER_HOUR), "RATE_LIMITED");
    const userAgent = c.req.header("user-agent") ?? "";
    const { replaces, ...subscription } = body;
    return { device: await addDevice(c.env, c.var.db, { caller, config, subscription, replaces, userAgent }) };
  });

  serve(app, deletePushDevice, async ({ c, caller, params }) => {
    await removeDevice(c.env, c.var.db, { userId: caller.userId, id: params.id });
    return { ok: true } as const;
  });

  serve(app, testPushDevice, async ({ c, caller, params }) => {
    const config = requirePush(c);
    const device = await selectDevice(c.var.db, { userId: caller.userId, id: params.id }, new Date().toISOString());
    if (!device) throw new AppError("NOT_FOUND");
    await countOrRefuse(c.env, `push-tests:${caller.userId}`, hourly(TESTS_PER_HOUR), "RATE_LIMITED");
    const content = { title: APP_NAME, body: "Notifications reach this device.", path: "/?settings=notifications" };
    const sent = await sendToDevice(c.env, { config, device }, { id: crypto.randomUUID(), kind: "test", tag: "test", ...content });
    if (sent.kind === "gone") {
      const message = "This device gets no notifications any more. Turn them on there again.";
      throw new AppError("NOT_FOUND", { message });
    }
    if (sent.kind !== "taken") throw new AppError("PUSH_FAILED", { cause: new Error(sent.why) });
    return { ok: true } as const;
  });
}

function requirePush(c: Context<AppContext>): PushConfig {
  const { push } = configOf(c.env);
  if (!push) throw new AppError("PUSH_OFF");
  return push;
}
