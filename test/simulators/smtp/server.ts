import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import * as z from "zod";
import type { PlatformDomain } from "./platform-fields.ts";
import { asPlatform } from "./platform-headers.ts";

export type SmtpOptions = {
  port?: number;
  /** Where the Worker's local platform listens, e.g. `http://localhost:8787`. */
  workerUrl: string;
  /** The domain of chats' addresses. */
  domain: string;
};

/** The mail server in front of the Worker. */
export type SmtpSimulator = { port: number; close(): Promise<void> };

/** The platform's limit of one mail, in bytes. */
const MAIL_BYTES = 25 * 1024 * 1024;
/** A receiver's sub-address for which nothing vouches for the sender. */
const UNPROVEN = "+unproven@";
/** Sub-addresses for which the platform writes its results by another domain of its own, or none at all. */
const PLATFORM_DOMAINS: Record<string, PlatformDomain | null> = {
  "+org@": "cloudflare-email.org",
  "+com@": "cloudflare-email.com",
  "+bare@": null,
};

/** What the platform answers where it is asked for JSON. */
const Outcome = z.object({ outcome: z.string(), rejectReason: z.string().nullish() });

/** Starts a real mail server on loopback: what it takes goes to the Worker's own handler, whose answer is the client's. */
export async function startSmtp({ port = 0, workerUrl, domain }: SmtpOptions): Promise<SmtpSimulator> {
  const server = new SMTPServer({
    size: MAIL_BYTES,
    banner: "Polylogue local mail",
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    onRcptTo({ address }, _session, done) {
      done(address.toLowerCase().endsWith(`@${domain}`) ? null : refusal(550, "Relaying denied"));
    },
    onData(stream, session, done) {
      void answer(stream, session, done);
    },
  });

  async function answer(stream: SMTPServerDataStream, session: SMTPServerSession, done: (error: Error | null) => void): Promise<void> {
    let error: Error | null;
    try {
      error = await forwardMail(stream, session);
    } catch {
      error = refusal(451, "The mail could not be handed on");
    }
    done(error);
  }

  async function forwardMail(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Error | null> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(Buffer.from(chunk));
    if (stream.sizeExceeded) return refusal(552, "This mail is larger than 25 MiB");
    const raw = Buffer.concat(chunks);
    const { mailFrom, rcptTo } = session.envelope;
    const from = mailFrom ? mailFrom.address : "";
    const client = session.hostNameAppearsAs || "localhost";
    let error: Error | null = null;
    for (const { address } of rcptTo) {
      const to = address.toLowerCase();
      const [, platform = "cloudflare-email.net" as const] = Object.entries(PLATFORM_DOMAINS).find(([part]) => to.includes(part)) ?? [];
      const body = await asPlatform(raw, { client, isProven: !to.includes(UNPROVEN), domain: platform });
      error ??= await deliver({ from, to: address, body });
    }
    return error;
  }

  async function deliver({ from, to, body }: { from: string; to: string; body: Buffer }): Promise<Error | null> {
    const query = new URLSearchParams({ from, to, format: "json" });
    const response = await fetch(`${workerUrl}/cdn-cgi/local/email?${query}`, { method: "POST", body: new Uint8Array(body) });
    const text = await response.text();
    if (!response.ok) return refusal(response.status < 500 ? 550 : 451, text.slice(0, 200));
    const { outcome, rejectReason } = Outcome.parse(JSON.parse(text));
    if (rejectReason) return refusal(550, rejectReason);
    return outcome === "ok" ? null : refusal(451, "Try again later");
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  // A client that goes away in the middle of a mail is its own affair.
  server.on("error", () => undefined);
  const address = server.server.address();
  return {
    port: isInfo(address) ? address.port : port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message.replaceAll(/[\r\n]+/g, " ")), { responseCode });
}

function isInfo(address: string | AddressInfo | null): address is AddressInfo {
  return typeof address === "object" && address !== null;
}
