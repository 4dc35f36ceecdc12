import { expect, it } from "vitest";
import { createPersona } from "#shared/contracts/library/personas.ts";
import { getUser, putAllowlist, updateUser } from "#shared/contracts/account/users.ts";
import { CHEAP_MODEL, startChat } from "#test/support/replies.ts";
import { signIn, visitor } from "#test/support/worker.ts";

/** Field by field: what is taken, and how it is returned. */
const TAKEN: [string, object][] = [
  ["triggered_model", { triggered_model: CHEAP_MODEL }],
  ["triggered_model", { triggered_model: "auto" }],
  ["triggered_tool_categories", { triggered_tool_categories: ["synthesis", "truth-seeker"] }],
  ["triggered_tool_categories", { triggered_tool_categories: [] }],
  ["triggered_system_prompt_id", { triggered_system_prompt_id: "" }],
  ["triggered_reply_all_enabled", { triggered_reply_all_enabled: true }],
  ["triggered_autopilot_enabled", { triggered_autopilot_enabled: true }],
  ["triggered_daily_budget", { triggered_daily_budget: 0 }],
  ["triggered_daily_budget", { triggered_daily_budget: 2.35 }],
  ["triggered_daily_budget", { triggered_daily_budget: 1_000 }],
  ["time_zone", { time_zone: "America/Argentina/Buenos_Aires" }],
  ["time_zone", { time_zone: "UTC" }],
];

const REFUSED: [string, unknown, number, string][] = [
  ["a model that there is not", { triggered_model: "maker/no-such-model" }, 404, "Model maker/no-such-model not found"],
  ["a research as the model", { triggered_model: "deep-research" }, 400, "Triggered messages need a model that answers by itself."],
  ["Autopilot as the model", { triggered_model: "autopilot" }, 400, "Triggered messages need a model that answers by itself."],
  ["tools that there are not", { triggered_tool_categories: ["synthesis", "rockets"] }, 400, "These tools are not offered here."],
  ["tools that are always on", { triggered_tool_categories: ["search"] }, 400, "These tools are not offered here."],
  ["tools that are no list", { triggered_tool_categories: "synthesis" }, 400, ""],
  ["a persona of nobody", { triggered_system_prompt_id: crypto.randomUUID() }, 400, "This persona is not among yours."],
  ["a persona that is no id", { triggered_system_prompt_id: "mine" }, 400, ""],
  ["a budget below zero", { triggered_daily_budget: -0.01 }, 400, "The budget cannot be below zero."],
  ["a budget without bounds", { triggered_daily_budget: 1_000.01 }, 400, "The budget may be at most $1,000 a day."],
  ["a budget in words", { triggered_daily_budget: "much" }, 400, ""],
  ["reply-all that is neither", { triggered_reply_all_enabled: null }, 400, ""],
  ["a zone that there is not", { time_zone: "Europe/Atlantis" }, 400, "That is no time zone."],
  ["an offset as the zone", { time_zone: "+01:00" }, 400, "That is no time zone."],
  ["an endless zone", { time_zone: `Europe/${"x".repeat(70)}` }, 400, "That is no time zone."],
  ["an empty zone", { time_zone: "" }, 400, "That is no time zone."],
  ["nonsense of a browser", { browser_time_zone: "here" }, 400, "That is no time zone."],
];

it("how triggered messages are answered begins with a dollar a day, no reply to all, no Autopilot, and UTC", async () => {
  const { user } = await signIn();
  expect(user).toMatchObject({
    triggered_model: null,
    triggered_tool_categories: null,
    triggered_system_prompt_id: null,
    triggered_autopilot_enabled: false,
    triggered_reply_all_enabled: false,
    triggered_memory_enabled: true,
    triggered_daily_budget: 1,
    time_zone: "UTC",
    time_zone_chosen: false,
  });
});

it.each(TAKEN)("how triggered messages are answered takes %s as %o", async (_field, change) => {
  const client = await signIn();
  const { user } = await client.take(updateUser, { body: change });
  expect(user).toMatchObject(change);
  expect((await client.take(getUser, {})).user).toEqual(user);
});

it.each(REFUSED)("how triggered messages are answered refuses %s and changes nothing", async (_what, body, status, text) => {
  const client = await signIn();
  const init = { method: "PATCH", headers: { "content-type": "application/json" } };
  const response = await client.fetch(updateUser.path, { ...init, body: JSON.stringify({ display_name: "Other", ...Object(body) }) });
  expect(response.status).toBe(status);
  expect((await response.json<{ error: string }>()).error).toContain(text);
  expect((await client.take(getUser, {})).user).toEqual(client.user);
});

it("how triggered messages are answered refuses what this person may not use: another's persona, a model off the allowlist", async () => {
  const [client, other] = [await signIn(), await signIn()];
  const { persona } = await other.take(createPersona, { body: { name: "Theirs", content: "Be theirs." } });
  expect(await client.call(updateUser, { body: { triggered_system_prompt_id: persona.id } })).toMatchObject({ status: 400 });
  expect(await other.take(updateUser, { body: { triggered_system_prompt_id: persona.id } })).toMatchObject({
    user: { triggered_system_prompt_id: persona.id },
  });
  await client.take(putAllowlist, { body: { model_allowlist: ["openai/gpt-5-nano"] } });
  expect(await client.call(updateUser, { body: { triggered_model: CHEAP_MODEL } })).toMatchObject({
    status: 403,
    error: { code: "MODEL_NOT_ALLOWED" },
  });
  const guest = visitor();
  await startChat(guest, "say hello", "openai/gpt-5-nano");
  expect(await guest.call(updateUser, { body: { triggered_system_prompt_id: crypto.randomUUID() } })).toMatchObject({ status: 401 });
});

it("the time zone is the browser's until one is chosen, and again once the choice is taken back", async () => {
  const client = await signIn();
  const change = async (body: object) => {
    const { time_zone: zone, time_zone_chosen: isChosen } = (await client.take(updateUser, { body })).user;
    return [zone, isChosen];
  };
  expect(await change({ browser_time_zone: "Europe/Berlin" })).toEqual(["Europe/Berlin", false]);
  expect(await change({ time_zone: "Asia/Tokyo" })).toEqual(["Asia/Tokyo", true]);
  expect(await change({ browser_time_zone: "Europe/Lisbon" })).toEqual(["Asia/Tokyo", true]);
  expect(await change({ time_zone: null })).toEqual(["Europe/Lisbon", false]);
});
