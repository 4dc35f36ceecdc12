/** Conversations as Claude's export has them, made here, so a test says what is in them. */

const ROOT = "00000000-0000-4000-8000-000000000000";

type Fields = Record<string, unknown>;

/** A message of Claude's export; `parent` is null for the first, and absent where the export names no parents. */
export function claudeMessage(
  uuid: string,
  sender: "human" | "assistant",
  { text, parent, ...fields }: { text: string; parent?: string | null } & Fields,
): Fields {
  return {
    uuid,
    text,
    content: [{ start_timestamp: null, stop_timestamp: null, type: "text", text, citations: [] }],
    sender,
    created_at: "2025-03-04T05:06:07.123456Z",
    updated_at: "2025-03-04T05:06:07.123456Z",
    attachments: [],
    files: [],
    ...(parent !== undefined && { parent_message_uuid: parent ?? ROOT }),
    ...fields,
  };
}

/** A conversation of these messages. */
export function claudeConversation(messages: readonly Fields[], fields: Fields = {}): Fields {
  return {
    uuid: crypto.randomUUID(),
    name: "A talk",
    summary: "",
    created_at: "2025-03-04T05:06:00.000000Z",
    updated_at: "2025-03-04T06:00:00.000000Z",
    account: { uuid: "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee" },
    chat_messages: messages,
    ...fields,
  };
}

/** A conversation with two answers to one question, a pasted text, thoughts, an artifact and a web search. */
export function richTalk(): Fields {
  return claudeConversation(
    [
      claudeMessage("m1", "human", {
        text: "Draw a clock, by my notes.",
        parent: null,
        attachments: [{ file_name: "", file_size: 21, file_type: "txt", extracted_content: "Numbers on the inside" }],
        files: [{ file_name: "sketch.png" }],
      }),
      claudeMessage("m2", "assistant", {
        text: "",
        parent: "m1",
        content: [
          { type: "thinking", thinking: "A round one, then." },
          { type: "text", text: "Here it is:" },
          {
            type: "tool_use",
            name: "artifacts",
            input: { id: "clock", type: "text/html", title: "Clock", command: "create", content: "<p>12</p>" },
          },
          { type: "tool_result", name: "artifacts", content: [{ type: "text", text: "OK" }] },
        ],
      }),
      claudeMessage("m2-again", "assistant", { text: "I would rather not draw.", parent: "m1" }),
      claudeMessage("m3", "human", { text: "Who invented it?", parent: "m2" }),
      claudeMessage("m4", "assistant", {
        text: "",
        parent: "m3",
        content: [
          { type: "tool_use", name: "web_search", input: { query: "inventor of the clock" } },
          {
            type: "tool_result",
            name: "web_search",
            content: [{ type: "knowledge", title: "Clocks", url: "https://example.org/clocks", text: "Long ago." }],
          },
          { type: "text", text: "Nobody knows." },
        ],
      }),
    ],
    { uuid: "22222222-3333-4444-8555-666666666666", name: "A clock", model: "claude-sonnet-4-5-20250929" },
  );
}
