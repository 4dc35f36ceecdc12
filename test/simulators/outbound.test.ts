import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { once } from "node:events";
import { expect, test } from "vitest";
import * as z from "zod";
import { startBland } from "./bland/server.ts";
import { startCodegen } from "./codegen/server.ts";

const Placed = z.object({ call_id: z.string() });

test("a call is taken with the raw key alone, follows its script, and is reported to its webhook, signed over its bytes", async () => {
  const webhookCall = Promise.withResolvers<{ body: string; signature: unknown }>();
  const hook = createServer((request, response) => {
    webhookCall.resolve(text(request).then((body) => ({ body, signature: request.headers["x-webhook-signature"] })));
    response.end();
  });
  hook.listen(0, "127.0.0.1");
  await once(hook, "listening");
  const address = hook.address();
  const webhook = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/webhookCall`;
  const bland = await startBland({ callMs: 10, secret: "s" });
  const place = (authorization: string, body: object) =>
    fetch(`${bland.url}/v1/calls`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const call = { phone_number: "+14155550123", task: "Ask for Monday.", max_duration: 1, webhook };
  expect((await place("Bearer key", call)).status).toBe(401);
  expect((await place("key", { ...call, phone_number: "415" })).status).toBe(400);
  const { call_id: id } = Placed.parse(await (await place("key", call)).json());
  const { body, signature } = await webhookCall.promise;
  expect(signature).toBe(createHmac("sha256", "s").update(body).digest("hex"));
  expect(JSON.parse(body)).toMatchObject({ call_id: id, completed: true, status: "completed", corrected_duration: "45", price: 0.105 });
  await Promise.all([bland.close(), new Promise((resolve) => hook.close(resolve))]);
});

test("a run of the code agent goes on until it is finished, for tokens of its organization alone", async () => {
  const codegen = await startCodegen({ runMs: 0 });
  const ask = (path: string, body?: object, token = "cg-x") =>
    fetch(`${codegen.url}/v1/organizations/${path}`, {
      method: body ? "POST" : "GET",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  expect((await ask("123/users", undefined, "x")).status).toBe(401);
  expect((await ask("999/users")).status).toBe(403);
  expect((await ask("abc/users")).status).toBe(422);
  const { id } = z.object({ id: z.number() }).parse(await (await ask("123/agent/run", { prompt: "sim hold" })).json());
  expect(await (await ask(`123/agent/run/${id}`)).json()).toMatchObject({ status: "ACTIVE", result: null });
  expect((await ask(`456/agent/run/${id}`)).status).toBe(404);
  await fetch(`${codegen.url}/control/finish`, { method: "POST" });
  expect(await (await ask(`123/agent/run/${id}`)).json()).toMatchObject({ status: "COMPLETE", github_pull_requests: [{ id: 31 }] });
  await codegen.close();
});
