import { putToolSettings } from "#shared/contracts/tools.ts";
import { gmailSearch } from "#worker/integrations/google/gmail/gmail-tools.ts";
import { connectGoogle } from "./google.ts";
import { outputOfCall, runTool } from "./tool-call.ts";
import { type Person, signIn } from "./worker.ts";

const ALL = ["gmailSearch", "gmailRead", "gmailDraft", "gmailSend"];

/** Someone whose Gmail is connected, and whose chats all have its tools. */
export async function withGmail(): Promise<Person> {
  const person = await signIn();
  const on = { enabled: true, is_always_on_override: true, always_allowed: true };
  await person.take(putToolSettings, { body: { settings: Object.fromEntries(ALL.map((id) => [id, on])) } });
  const led = await connectGoogle(person, { features: "gmail" });
  if (led !== "/?gmail_success=true") throw new Error(`Connecting led to ${led}.`);
  return person;
}

/** The id of the conversation that a search of theirs finds first. */
export async function findThread({ user }: Person, query: string): Promise<string> {
  const found = outputOfCall(await runTool(gmailSearch, { query, limit: 1 }, { userId: user.id }));
  const [, id] = /"thread_id":"([\w-]+)"/.exec(found) ?? [];
  if (id === undefined) throw new Error(`No conversation is found for ${query}.`);
  return id;
}
