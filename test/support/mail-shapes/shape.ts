/** A source written after the shape that one mail program gives its mails, and how a mail program reads it. */
export type Shape = {
  program: string;
  /** A character is a byte. */
  source: string;
  reads: { from: string; subject: string; text: string; quoted?: string; files?: string[]; earlier?: string[] };
};

/** Lines as they go over the wire. */
export function lines(...all: string[]): string {
  return all.join("\r\n");
}

/** A text's bytes in UTF-8, a character each. */
export function utf8(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

/** A text in base64 with lines of 76 characters. */
export function base64(text: string): string {
  return btoa(utf8(text)).replaceAll(/.{76}(?=.)/g, "$&\r\n");
}

/** The fields that every program writes, before its own. */
export function head({ from = "Ann Lee <ann@example.org>", subject = "Boat" }: { from?: string; subject?: string } = {}): string {
  return lines(
    `From: ${from}`,
    "To: <token@chats.localhost>",
    `Subject: ${subject}`,
    "Date: Tue, 3 Nov 2026 10:00:00 +0100",
    "Message-ID: <1@example.org>",
    "MIME-Version: 1.0",
  );
}

/** A multipart body with its field. */
export function multipart(kind: string, boundary: string, parts: string[]): string {
  return lines(
    `Content-Type: multipart/${kind}; boundary="${boundary}"`,
    "",
    ...parts.map((part) => lines(`--${boundary}`, part)),
    `--${boundary}--`,
    "",
  );
}

export const TEXT = 'Content-Type: text/plain; charset="utf-8"';
export const ANN = { from: "ann@example.org", subject: "Boat" };
