/** Reports of mail servers about mails that did not arrive (RFC 3464), as far as a chat goes by them. */
import type { MailReturn } from "#worker/mail/chat-address/room-mail.ts";

/** A part of a mail as its parser gives it. */
type Part = { mimeType: string; content: ArrayBuffer | Uint8Array | string };

/** Bytes of a part that are read: reports are short, what they return need not be. */
const PART_BYTES = 64_000;
const REASON_LENGTH = 300;

/** What a report says of mails that failed for good; null for a mail that is no such report. */
export function readDeliveryReport(parts: readonly Part[]): MailReturn | null {
  const status = parts.find(({ mimeType }) => /^message\/(?:global-)?delivery-status$/i.test(mimeType));
  if (!status) return null;
  const failed = toText(status.content)
    .split(/\n[ \t]*\n/)
    .flatMap((block) => {
      const fields = fieldsOf(block);
      const address = fields.get("final-recipient") ?? fields.get("original-recipient");
      if (fields.get("action")?.toLowerCase() !== "failed" || address === undefined) return [];
      const code = /\d\.\d{1,3}\.\d{1,3}/.exec(fields.get("status") ?? "")?.[0] ?? "";
      const diagnosis = (fields.get("diagnostic-code") ?? "").replace(/^[^;]*;\s*/, "").slice(0, REASON_LENGTH);
      return [
        {
          address: address
            .replace(/^[^;]*;\s*/, "")
            .replaceAll(/[<>]/g, "")
            .trim()
            .toLowerCase(),
          code,
          diagnosis,
        },
      ];
    });
  const [first] = failed;
  if (!first) return null;
  const original = parts.find(({ mimeType }) => /^(?:message\/(?:rfc822|global)(?:-headers)?|text\/rfc822-headers)$/i.test(mimeType));
  const id = original && fieldsOf(toText(original.content).split(/\n[ \t]*\n/)[0] ?? "").get("message-id");
  return {
    kind: "bounced",
    providerId: null,
    messageId: id === undefined ? null : id.replaceAll(/[<>\s]/g, ""),
    addresses: failed.map(({ address }) => address),
    // Codes that begin with 4 mean what may pass (RFC 3463).
    isForGood: failed.every(({ code }) => !code.startsWith("4")),
    reason: first.diagnosis || first.code || null,
  };
}

function fieldsOf(block: string): Map<string, string> {
  const lines = block.replaceAll(/\n[ \t]+/g, " ").split("\n");
  const fields = new Map<string, string>();
  for (const line of lines) {
    const at = line.indexOf(":");
    const name = line.slice(0, Math.max(0, at)).trim().toLowerCase();
    if (at > 0 && !fields.has(name))
      fields.set(
        name,
        line
          .slice(at + 1)
          .replaceAll(/\p{Cc}/gu, " ")
          .trim(),
      );
  }
  return fields;
}

function toText(content: Part["content"]): string {
  const text =
    typeof content === "string" ? content.slice(0, PART_BYTES) : new TextDecoder().decode(new Uint8Array(content).slice(0, PART_BYTES));
  return text.replaceAll(/\r\n?/g, "\n");
}
