import * as z from "zod";
import { until } from "./until.ts";

const Phone = z.object({
  messages: z.array(
    z.object({
      from: z.enum(["phone", "business"]),
      text: z.string(),
      template: z.nullable(z.object({ parameters: z.array(z.string()) })),
    }),
  ),
});

/** A number that nobody else has, of the many that New York could give out. */
export function newPhoneNumber(): string {
  const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  return `+1212${String(2_000_000 + (random % 7_999_999))}`;
}

/** What arrived at a number on the simulated phone, oldest first. */
export async function messagesAt(base: string, number: string) {
  const response = await fetch(`${base}/dev/phone/conversation?number=${encodeURIComponent(number)}`);
  return Phone.parse(await response.json()).messages.filter(({ from }) => from === "business");
}

/** The newest code that arrived at a number; undefined while there is none. */
export async function newestCodeAt(base: string, number: string): Promise<string | undefined> {
  return (await messagesAt(base, number)).flatMap(({ template }) => template?.parameters[0] ?? []).at(-1);
}

/** The code that arrives at a number. */
export function awaitCodeAt(base: string, number: string): Promise<string> {
  return until(`the code sent to ${number}`, () => newestCodeAt(base, number));
}
