import { expect, it } from "vitest";
import { askModel } from "#worker/conversation/turn/ask-model.ts";
import { openCitations } from "#worker/library/passages/citations.ts";

it("a fault of our own in taking an answer is no failure of the model's, which is asked once", async () => {
  const fault = new Error("The checkpoint could not be stored.");
  let asked = 0;
  const asking = askModel(
    {
      async complete(_, { onEvent }) {
        asked += 1;
        onEvent({ type: "text", text: "The first words" });
      },
      onDropped: () => undefined,
      sleep: async () => undefined,
      now: () => 0,
    },
    {
      request: { model: "any", messages: [] },
      signal: new AbortController().signal,
      publish() {
        throw fault;
      },
      isRouted: false,
      citations: openCitations(undefined),
      breaks: { text: "", reasoning: "" },
      reasonedMs: 0,
    },
  );
  await expect(asking).rejects.toBe(fault);
  expect(asked).toBe(1);
});
