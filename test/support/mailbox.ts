import * as z from "zod/mini";

const Mail = z.object({
  to: z.union([z.string(), z.array(z.string())]),
  subject: z.string(),
  text: z.string(),
  html: z.optional(z.string()),
  from: z.string(),
  cc: z.array(z.string()),
  reply_to: z.array(z.string()),
  message_id: z.string(),
  headers: z.record(z.string(), z.string()),
  attachments: z.array(z.object({ filename: z.string(), type: z.string(), size: z.number() })),
});
type Mail = z.infer<typeof Mail>;

/** The mails to an address, newest first; `base` is the mailbox simulator's or the local server's origin. */
export async function mailsTo(base: string, address: string): Promise<Mail[]> {
  const response = await fetch(`${base}/dev/mailbox?to=${encodeURIComponent(address)}`, { headers: { accept: "application/json" } });
  return z.array(Mail).parse(await response.json());
}

/** The mails to an address that ask 'This wasn't me', newest first: they come by themselves, between any others. */
export async function alertsTo(base: string, address: string): Promise<Mail[]> {
  return (await mailsTo(base, address)).filter(isAlert);
}

/** What opens an alert's page. */
export const ALERT_LINK = /https?:\S+\/not-me\/[\w-]+/;

function isAlert({ text }: Mail): boolean {
  return ALERT_LINK.test(text);
}

/** The newest mail to an address but for alerts. */
export async function newestMail(base: string, address: string): Promise<Mail | undefined> {
  return (await mailsTo(base, address)).find((mail) => !isAlert(mail));
}

/** The six digits of the newest sign-in mail to an address; null while there is none. */
export async function newestCode(base: string, address: string): Promise<string | null> {
  return (await newestMail(base, address))?.text.match(/\b\d{6}\b/)?.[0] ?? null;
}
