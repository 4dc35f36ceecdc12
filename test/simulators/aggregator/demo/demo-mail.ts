import * as z from "zod";

type Step = { before: string; calls: { name: string; arguments: string }[] };

const QUOTED = /\n<(quoted-[0-9a-f]{8})>\n([\s\S]*?)\n<\/\1>/;
const Conversations = z.object({
  conversations: z.array(z.object({ thread_id: z.string(), subject: z.string(), from: z.array(z.string()), date: z.string().nullish() })),
});
const Conversation = z.object({
  source: z.number(),
  subject: z.string(),
  messages: z.array(z.object({ message_id: z.string(), from: z.string(), text: z.string() })),
});

/** What of a mailbox a prompt plainly asks for. */
export const MAIL_REQUEST = /\b(find|look for|show|read|answer|reply to|draft|is there)\b.*\b(mails?|e-?mails?|gmail|inbox)\b/i;
const REQUEST_WORDS = new Set("find look show read answer reply draft mail mails email emails e-mail gmail inbox say says send".split(" "));

/** The words of a search of mail for such a prompt. */
export function mailQuery(words: readonly string[]): string {
  const left = words.filter((word) => !REQUEST_WORDS.has(word.toLowerCase()));
  return left.slice(0, 4).join(" ") || "in:inbox";
}

/** What follows on a search or a reading of mail: the first conversation, then a draft or a mail that answers its last message. */
export function nextMailStep(prompt: string, name: string | undefined, result: string): Step | null {
  const step = (tool: string, input: Record<string, unknown>, before: string): Step => ({
    before,
    calls: [{ name: tool, arguments: JSON.stringify(input) }],
  });
  const wantsAnswer = /\b(draft|answer|reply)\b/i.test(prompt);
  if (name === "gmailSearch") {
    const [first] = read(Conversations, result)?.conversations ?? [];
    const wantsText = wantsAnswer || /\b(read|say|says|summari[sz]e)\b/i.test(prompt);
    return first && wantsText ? step("gmailRead", { thread_id: first.thread_id }, "I read the first one.") : null;
  }
  const last = name === "gmailRead" ? read(Conversation, result)?.messages.at(-1) : undefined;
  if (!last || !wantsAnswer) return null;
  const letter = {
    to: [/<([^<>]+)>/.exec(last.from)?.[1] ?? last.from],
    body: "Hello,\n\nthank you for your mail. I look into it and come back to you.",
    reply_to: last.message_id,
  };
  const isDraft = !/\bsend\b/i.test(prompt);
  return step(isDraft ? "gmailDraft" : "gmailSend", letter, isDraft ? "I keep a draft of the answer." : "I would answer with this.");
}

/** What the demonstration says of what it found or wrote; null where it has no words of its own. */
export function mailAnswer(name: string, result: string): string | null {
  if (name === "gmailDraft") return "The draft is in your Gmail, in its conversation. Nobody has got it.";
  if (name === "gmailSend") return result.includes('"Sent."') ? "It is on its way." : null;
  if (name === "gmailRead") {
    const found = read(Conversation, result);
    const last = found?.messages.at(-1);
    return found && last
      ? `In **${found.subject}** the last word is from ${last.from} [${found.source}]:\n\n> ${last.text.split("\n").join("\n> ")}`
      : null;
  }
  const found = read(Conversations, result)?.conversations;
  if (!found) return null;
  if (found.length === 0) return "Your mail holds nothing like that.";
  return `This is what your mail holds:\n\n${found.map(({ subject, from }) => `- **${subject}**, with ${from.join(", ")}`).join("\n")}`;
}

function read<T>(schema: z.ZodType<T>, result: string): T | null {
  try {
    return schema.parse(JSON.parse(QUOTED.exec(result)?.[2] ?? ""));
  } catch {
    return null;
  }
}
