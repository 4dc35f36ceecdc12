import { describe, expect, test } from "vitest";
import { insertSpoken } from "#web/features/conversation/voice/voices.ts";
import { explainMicrophone } from "#web/features/conversation/voice/microphone-errors.ts";
import { explain } from "#web/features/conversation/voice/recognition.ts";

test("spoken words stand at the cursor, with spaces where words would run together", () => {
  expect(insertSpoken("", " hello there ", "")).toBe("hello there");
  expect(insertSpoken("Dear", "reader", "how are you")).toBe("Dear reader how are you");
  expect(insertSpoken("Dear ", "reader", "\nYours")).toBe("Dear reader\nYours");
  expect(insertSpoken("Dear", " ", " reader")).toBe("Dear reader");
});

test("a failure of voice input is explained, unless it ended by itself", () => {
  expect(explain("no-speech")).toBeNull();
  expect(explain("aborted")).toBeNull();
  expect(explain("service-not-allowed")?.title).toBe("The microphone is blocked");
  expect(explain("not-allowed")?.description).toContain("site settings");
  expect(explain("something-new")?.description).toContain("kept");
});

describe("a microphone that does not open", () => {
  const NAMES = [
    "NotAllowedError",
    "NotFoundError",
    "NotReadableError",
    "OverconstrainedError",
    "AbortError",
    "SecurityError",
    "InvalidStateError",
    "NotSupportedError",
  ];
  const own = "Aucun périphérique audio n'est disponible";
  const errors = [...NAMES.map((name) => new DOMException(own, name)), new TypeError(own)];

  test("a microphone that does not open is explained by its error's name, each in a sentence of its own", () => {
    const all = errors.map(explainMicrophone);
    expect(new Set(all.map(({ description }) => description)).size).toBe(errors.length);
    for (const { title, description } of all) expect(`${title} ${description}`).not.toContain(own);
  });

  test("a microphone that does not open names another program only where the device is taken", () => {
    const blaming = errors.filter((error) => explainMicrophone(error).description.includes("program")).map(({ name }) => name);
    expect(blaming).toEqual(["NotReadableError"]);
  });

  test("a microphone that does not open is explained without the browser's words where its error is unknown", () => {
    for (const error of [new DOMException(own, "NewError"), new Error(own), own, null]) {
      expect(explainMicrophone(error)).toEqual({
        title: "The microphone did not start",
        description: "Try again, or use another browser.",
      });
    }
  });
});
