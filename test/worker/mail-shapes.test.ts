import { expect, it } from "vitest";
import { ENCODINGS } from "#test/support/mail-shapes/encodings.ts";
import { REPLIES } from "#test/support/mail-shapes/replies.ts";
import { STRUCTURES } from "#test/support/mail-shapes/structures.ts";
import { readEnvelope } from "#worker/mail/envelope.ts";
import { headerEnd } from "#worker/mail/mail-headers.ts";
import { createMailMeter } from "#worker/mail/mail-meter.ts";
import { parseSource } from "#worker/mail/parse-source.ts";

const SHAPES = [...REPLIES, ...ENCODINGS, ...STRUCTURES];

it("there are fifty and more", () => expect(SHAPES.length).toBeGreaterThanOrEqual(50));

it.each(SHAPES.map((shape) => [shape.program, shape] as const))(
  "reads a mail of %s as a mail program does",
  async (_program, { source, reads }) => {
    const bytes = Uint8Array.from(source, (character) => character.charCodeAt(0));
    expect(createMailMeter().feed(bytes)).toBeNull();
    const envelope = readEnvelope(bytes.subarray(0, headerEnd(bytes) ?? bytes.length), "ann@example.org");
    if (typeof envelope === "string") throw new Error(envelope);
    const parsed = await parseSource(bytes.buffer, { subject: envelope.subject, isWhole: true });
    const { quoted, files, earlier, ...said } = reads;
    expect({ from: envelope.from.address, subject: envelope.subject, text: parsed.text }).toEqual(said);
    expect(parsed.files.map(({ name }) => name)).toEqual(files ?? []);
    expect(parsed.earlier.map(({ text }) => text)).toEqual(earlier ?? []);
    expect([parsed.quoted === null, parsed.quoted?.includes(quoted ?? "") ?? true]).toEqual([quoted === undefined, true]);
  },
);
