import { describe, expect, test } from "vitest";
import { insertSpoken } from "#web/features/voice/spoken.ts";
import { explain } from "#web/features/voice/recognition.ts";

describe("spoken words", () => {
  test("stand at the cursor, with spaces where words would run together", () => {
    expect(insertSpoken("", " hello there ", "")).toBe("hello there");
    expect(insertSpoken("Dear", "reader", "how are you")).toBe("Dear reader how are you");
    expect(insertSpoken("Dear ", "reader", "\nYours")).toBe("Dear reader\nYours");
    expect(insertSpoken("Dear", " ", " reader")).toBe("Dear reader");
  });
});

describe("a failure of voice input", () => {
  test("is explained, unless it ended by itself", () => {
    expect(explain("no-speech")).toBeNull();
    expect(explain("aborted")).toBeNull();
    expect(explain("service-not-allowed")?.title).toBe("The microphone is blocked");
    expect(explain("not-allowed")?.description).toContain("site settings");
    expect(explain("something-new")?.description).toContain("kept");
  });
});
