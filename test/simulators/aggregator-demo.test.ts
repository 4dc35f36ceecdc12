import fc from "fast-check";
import { expect, test } from "vitest";
import { markdownOfLength } from "./aggregator/bytes.ts";
import { demoAnswer, type DemoContext } from "./aggregator/demo/demo-answer.ts";
import { demoCalls } from "./aggregator/demo/demo-calls.ts";
import { describeAttachments } from "./aggregator/demo/attachments.ts";
import { readImageSize } from "./aggregator/demo/image-size.ts";
import { isTitleRequest, titleAnswer } from "./aggregator/demo/title.ts";
import { parseDirectives } from "./aggregator/directives.ts";
import type { Message } from "./aggregator/request.ts";
import { splitIntoTokens } from "./aggregator/tokens.ts";
import { quoteFile } from "#worker/library/attachments/quote-file.ts";

function contextOf(prompt: string, earlier: Message[] = [], variant = 0): DemoContext {
  return {
    modelName: "Claude Opus 4.5",
    prompt,
    messages: [...earlier, { role: "user", content: prompt }],
    lastUserIndex: earlier.length,
    variant,
  };
}

test("tokens joined are the text again, whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(splitIntoTokens(text).join("")).toBe(text);
    }),
  );
});

test("markdown of a length has that length, and a shorter one begins the same", () => {
  const longest = markdownOfLength(5000);
  fc.assert(
    fc.property(fc.nat(5000), (length) => {
      expect(markdownOfLength(length)).toBe(longest.slice(0, length));
    }),
  );
});

test("the first answer says plainly that it is the demo model, and how to reach a real one", () => {
  const answer = demoAnswer(contextOf("How should I plan a garden?"));
  expect(answer).toContain("I am the demo model, standing in for **Claude Opus 4.5**");
  expect(answer).toContain("OPENROUTER_API_KEY");
});

test("a later answer refers back to what was asked before", () => {
  const earlier: Message[] = [
    { role: "user", content: "How should I plan a garden?" },
    { role: "assistant", content: "Slowly." },
  ];
  expect(demoAnswer(contextOf("And a pond?", earlier))).toContain("You asked earlier about “How should I plan a garden?”");
  const recap = demoAnswer(contextOf("What did I say so far?", earlier));
  expect(recap).toContain("1. “How should I plan a garden?”");
});

test.each([
  ["write some code in rust", "```rust"],
  ["a python script please", "```python"],
  ["a SQL query", "```sql"],
  ["bash one-liner", "```bash"],
  ["a JSON schema", "```json"],
  ["typescript debounce", "```ts"],
  ["compare the two offers", "|---"],
  ["solve this equation", "$$"],
  ["draw a diagram of it", "```mermaid"],
  ["show me everything", "```mermaid"],
  ["what should I read next", "1. "],
])("%s is answered with %s", (prompt, mark) => {
  const answers = [0, 1, 2].map((variant) => demoAnswer(contextOf(prompt, [], variant)));
  expect(answers.some((answer) => answer.includes(mark))).toBe(true);
});

test("asking again is answered differently", () => {
  expect(demoAnswer(contextOf("rivers", [], 0))).not.toBe(demoAnswer(contextOf("rivers", [], 1)));
});

test("what stands in the chat's knowledge is answered from there, and nothing else is made of it", () => {
  const quoted = "[1] Notes.txt\nThe review is at 14:00. Ask Ines.\n\n[2] Rules.md\n## Pets\nA ferret sleeps in a crate.";
  const system: Message[] = [{ role: "system", content: `Lead.\n<knowledge-0a1b2c3d>\n${quoted}\n</knowledge-0a1b2c3d>` }];
  expect(demoAnswer(contextOf("Where does a ferret sleep?", system))).toContain("*Rules.md* says: A ferret sleeps in a crate. [2]");
  expect(demoAnswer(contextOf("When was Ada Lovelace born?", system))).toContain("nothing that I was given of it answers this");
});

test("what a person has remembered is saved, and shown to whoever asks", () => {
  const round = demoCalls("Remember that I live in Porto.", new Set(["saveMemory"]), []);
  expect(round?.calls).toEqual([{ name: "saveMemory", arguments: JSON.stringify({ fact: "Lives in Porto" }) }]);
  const system: Message[] = [{ role: "system", content: "About them:\n- (m1) lives in Porto\n- (m2) likes tea" }];
  expect(demoAnswer(contextOf("What do you know about me?", system))).toContain("- lives in Porto\n- likes tea");
});

test("what the product adds to a question is read like the system prompt, and is no word of the person's", () => {
  const given =
    "About them:\n- (m1) lives in Porto\n\nLead.\n<knowledge-0a1b2c3d>\n[3] Rules.md\nA ferret sleeps in a crate.\n</knowledge-0a1b2c3d>";
  const lead = "What stands between the two added-0a1b2c3d marks was added to this message by the product.";
  const asked = { role: "user" as const, content: `${lead}\n<added-0a1b2c3d>\n${given}\n</added-0a1b2c3d>\n\nrivers` };
  expect(demoAnswer(contextOf("Where does a ferret sleep?", [asked]))).toContain("*Rules.md* says: A ferret sleeps in a crate. [3]");
  expect(demoAnswer(contextOf("What do you know about me?", [asked]))).toContain("- lives in Porto");
  expect(demoAnswer(contextOf("What did I say so far?", [asked]))).toContain("1. “rivers”");
});

test("instructions are quoted when asked for", () => {
  const system: Message[] = [{ role: "system", content: "Answer like a pirate." }];
  expect(demoAnswer({ ...contextOf("What are your instructions?", system) })).toContain("> Answer like a pirate.");
});

const images: [string, string, string][] = [
  ["PNG", "iVBORw0KGgoAAAANSUhEUgAABAAAAAMACAYAAAA=", "1024 × 768"],
  ["GIF", Buffer.from([...Buffer.from("GIF89a"), 0x40, 0x01, 0xf0, 0x00, 0, 0, 0]).toString("base64"), "320 × 240"],
  [
    "JPEG",
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc2, 0, 11, 8, 0x01, 0x2c, 0x01, 0x90, 1, 1, 17, 0]).toString("base64"),
    "400 × 300",
  ],
  [
    "WebP",
    Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0", "latin1"), Buffer.from([0x7f, 0x02, 0, 0xdf, 0x01, 0])]).toString(
      "base64",
    ),
    "640 × 480",
  ],
];

test.each(images)("the size of a %s is read", (type, base64, size) => {
  const text = describeAttachments([{ type: "image_url", image_url: { url: `data:image/${type.toLowerCase()};base64,${base64}` } }], "");
  expect(text).toContain(`**${type}**`);
  expect(text).toContain(size);
});

test("the size of other WebP forms is read, and none of bytes that are no image", () => {
  const lossy = Buffer.alloc(30);
  lossy.write("RIFF", 0);
  lossy.write("WEBPVP8 ", 8);
  lossy.writeUInt16LE(200, 26);
  lossy.writeUInt16LE(100, 28);
  expect(readImageSize(lossy)).toEqual({ type: "WebP", width: 200, height: 100 });
  const lossless = Buffer.alloc(30);
  lossless.write("RIFF", 0);
  lossless.write("WEBPVP8L", 8);
  lossless.writeUInt32LE((199 | (99 << 14)) >>> 0, 21);
  expect(readImageSize(lossless)).toEqual({ type: "WebP", width: 200, height: 100 });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      expect(() => readImageSize(Buffer.from(bytes))).not.toThrow();
    }),
  );
});

test("the files that came are named", () => {
  const file = { filename: "lease.pdf", file_data: `data:application/pdf;base64,${Buffer.alloc(2048).toString("base64")}` };
  expect(describeAttachments([{ type: "file", file }], "")).toBe("You attached the file `lease.pdf`, 2.0 KB of `application/pdf`.");
});

test("directives are whole lines of known form; anything else is the prompt", () => {
  const directives = parseDirectives("speed 5 is fast\nfault lines\ncall mum\nfault 429 times 2\nspeed 9\nthink deep thoughts");
  expect(directives.prompt).toBe("speed 5 is fast\nfault lines\ncall mum");
  expect(directives.speed).toBe(9);
  expect(directives.rounds).toEqual([{ calls: [], fault: { name: "429", times: 2 }, think: "deep thoughts", before: null }]);
});

test.each([
  ["Question:\nWhat makes sourdough rise?\n\nAnswer:\nYeast.", "Makes sourdough rise"],
  ["<user>plan a trip to Lisbon with two children in spring</user>", "Plan trip Lisbon two children"],
  ["say hello there", "Hello there, a conversation"],
])("the title of %j is %j", (prompt, title) => {
  expect(titleAnswer(prompt)).toBe(title);
});

test("a title request is known by its instructions", () => {
  expect(isTitleRequest("Write a title for the conversation below", false)).toBe(true);
  expect(isTitleRequest("Write a title for the conversation below", true)).toBe(false);
  expect(isTitleRequest("You are a helpful assistant in a conversation", false)).toBe(false);
});

test("a quoted file is named, and its words choose nothing", () => {
  const file = { name: 'a "b" `c`.md', type: "text/markdown", objectId: "0a1b2c3d-0000-4000-8000-000000000000" };
  const text = "Search the web.\nA table of code, in python.";
  const prompt = `${quoteFile(file, { text, isComplete: true })}\nWhat do bees eat?`;
  const answer = demoAnswer(contextOf(prompt));
  expect(answer).toContain(`You attached the file \`a "b" 'c'.md\`, ${text.length} characters of text.`);
  expect(answer).toContain("**bees eat**");
  expect(answer).not.toMatch(/\||```|search/i);
  expect(demoAnswer(contextOf("And now?", [{ role: "user", content: prompt }]))).toContain("“What do bees eat?”");
});

test("of a mail its own words are repeated, and not what the product puts around them", () => {
  const quoted = "[Earlier mails, as this one quotes them:]\n> Before.";
  expect(parseDirectives(`A mail came in.\n<mail-0a1b2c3d>\nsay One.\n\nTwo.\n\n${quoted}\n</mail-0a1b2c3d>\n\nA file.`).say).toBe(
    "One.\n\nTwo.",
  );
  expect(parseDirectives(`say One.\n${quoted}`).say).toBe(`One.\n${quoted}`);
});
