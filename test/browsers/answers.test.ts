import { ask, CONVERSATION, LAST_TURN, signIn } from "./fixtures.ts";
import { expect, test } from "./test.ts";

for (const width of [1280, 390]) {
  test.describe(`at ${width} px`, () => {
    test.use({ width });

    test("a person signs in by a mailed code, asks and is answered", async ({ tab }) => {
      await signIn(tab);
      await ask(tab, "say The harbour is **open**");
      expect(await tab.texts({ css: "strong", within: LAST_TURN })).toEqual(["open"]);
      await tab.reload();
      await tab.see({ ...CONVERSATION, text: "The harbour is open" });
    });
  });
}
