import type { Page } from "@playwright/test";
import * as z from "zod/mini";
import { awaitCodeAt, messagesAt } from "../../support/phones.ts";
import { until } from "../../support/until.ts";
import { callApi } from "../../e2e/fixtures/api.ts";

const Listed = z.object({ chats: z.array(z.object({ id: z.string() })) });

/** Links a phone to the account and writes from it; answers the chat that this made. */
export async function phoned(owner: Page): Promise<string> {
  const base = process.env["E2E_URL"] ?? "";
  const number = "+14155550142";
  await callApi(owner, { method: "POST", path: "/api/whatsapp/setup/start", body: { phoneNumber: number } });
  const code = await awaitCodeAt(base, number);
  await callApi(owner, { method: "POST", path: "/api/whatsapp/setup/verify", body: { code } });
  const write = async (action: Record<string, unknown>) => {
    const before = (await messagesAt(base, number)).length;
    const answer = await owner.request.post("/dev/phone/send", { data: { number, ...action } });
    if (!answer.ok()) throw new Error(`The phone answered ${answer.status()}: ${await answer.text()}`);
    await until("the answer on the phone", async () => (await messagesAt(base, number)).length > before);
  };
  await write({ type: "text", body: "say The ferry to Finkenwerder goes at **17:40**, and the next one at 18:10." });
  await write({ type: "image", caption: "say This is a larch with three rings of frost, so it was felled in winter." });
  const { chats } = Listed.parse(await callApi(owner, { method: "GET", path: "/api/chats?limit=1" }));
  const id = chats[0]?.id ?? "";
  await callApi(owner, { method: "PATCH", path: `/api/chat/${id}`, body: { title: "Ferries and larches" } });
  return id;
}
