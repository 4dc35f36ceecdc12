import { describe, expect, it } from "vitest";
import { ENCODINGS } from "#test/support/mail-shapes/encodings.ts";
import { REPLIES } from "#test/support/mail-shapes/replies.ts";
import { head, lines, multipart, TEXT } from "#test/support/mail-shapes/shape.ts";
import { STRUCTURES } from "#test/support/mail-shapes/structures.ts";
import { readEnvelope } from "#worker/mail/inbound/envelope.ts";
import { headerEnd } from "#worker/mail/inbound/mail-headers.ts";
import { createMailMeter } from "#worker/mail/inbound/mail-meter.ts";
import { parseSource } from "#worker/mail/inbound/parse-source.ts";

const SHAPES = [...REPLIES, ...ENCODINGS, ...STRUCTURES];

it("there are fifty and more shapes of mails", () => expect(SHAPES.length).toBeGreaterThanOrEqual(50));

it.each(SHAPES.map((shape) => [shape.program, shape] as const))(
  "a mail of %s is read as a mail program reads it",
  async (_program, { source, reads }) => {
    const bytes = Uint8Array.from(source, (character) => character.charCodeAt(0));
    expect(createMailMeter().feed(bytes)).toBeNull();
    const envelope = readEnvelope(bytes.subarray(0, headerEnd(bytes) ?? bytes.length), "ann@example.org");
    if (typeof envelope === "string") throw new Error(envelope);
    const parsed = await parseSource(bytes.buffer, { subject: envelope.subject, isComplete: true });
    const { quoted, files, earlier, ...said } = reads;
    expect({ from: envelope.from.address, subject: envelope.subject, text: parsed.text }).toEqual(said);
    expect(parsed.files.map(({ name }) => name)).toEqual(files ?? []);
    expect(parsed.earlier.map(({ text }) => text)).toEqual(earlier ?? []);
    expect([parsed.quoted === null, parsed.quoted?.includes(quoted ?? "") ?? true]).toEqual([quoted === undefined, true]);
  },
);

describe("a file's bytes", () => {
  const bytes = Uint8Array.from([...Array(256).keys(), 13, 10, 13, 10, 10, 13, 61, 10, ...Array(256).keys(), 13, 10]);
  const raw = String.fromCharCode(...bytes);
  const quoted = [...bytes].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`);

  it.each([
    ["binary", raw],
    ["8bit", raw],
    ["", raw],
    ["quoted-printable", quoted.map((code, at) => (at % 20 === 19 ? `${code}=\r\n` : code)).join("")],
    ["base64", btoa(raw).replaceAll(/.{76}(?=.)/g, "$&\r\n")],
  ])("a file's bytes are those that were sent, encoded as '%s'", async (encoding, content) => {
    const source = lines(
      head(),
      multipart("mixed", "b", [
        lines(TEXT, "", "Hello"),
        lines(
          'Content-Type: application/pdf; name="a.pdf"',
          ...(encoding === "" ? [] : [`Content-Transfer-Encoding: ${encoding}`]),
          "",
          content,
        ),
        lines(TEXT, "", "Bye"),
      ]),
    );
    const { files, text } = await parseSource(Uint8Array.from(source, (character) => character.charCodeAt(0)).buffer, {
      subject: "",
      isComplete: true,
    });
    expect([...(files[0]?.content ?? [])]).toEqual([...bytes]);
    expect(text).toMatch(/^Hello\s+Bye$/);
  });
});

it("a date is read no longer than one can be", async () => {
  const block = (date: string) => lines("---------- Forwarded message ---------", "From: Bob <bob@example.org>", `Date: ${date}`, "", "Hi");
  const parse = (date: string) =>
    parseSource(Uint8Array.from(lines(head(), TEXT, "", block(date)), (character) => character.charCodeAt(0)).buffer, {
      subject: "",
      isComplete: true,
    });
  expect((await parse("Wed, Nov 4, 2026 at 9:00 AM")).earlier[0]?.created_at).toBe("2026-11-04T09:00:00.000Z");
  const begun = performance.now();
  expect((await parse(`Mon${" ".repeat(150_000)}x`)).earlier[0]?.created_at).toBeNull();
  // A pattern that tries each space anew takes eight seconds.
  expect(performance.now() - begun).toBeLessThan(2_000);
});
