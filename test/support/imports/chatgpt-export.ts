/** Conversations as ChatGPT's export has them, made here, so a test says what is in them. */

type Message = {
  id?: string;
  role: "user" | "assistant" | "system" | "tool";
  content: unknown;
  at?: number;
  metadata?: Record<string, unknown>;
  recipient?: string;
  name?: string;
};

/** A step of a conversation; without a message it is the root that every conversation has. */
export type Step = { id: string; parent: string | null; message: Message | null };

/** Epoch seconds of the fixtures' first message. */
export const BEGUN = 1_713_342_000.123;

/** Plain text as the content of a message. */
export function text(...parts: string[]): unknown {
  return { content_type: "text", parts };
}

/** The steps of a plain conversation: questions and answers in turn. */
export function plainSteps(texts: readonly string[], model = "gpt-4o"): Step[] {
  const root: Step = { id: "root", parent: null, message: null };
  return [
    root,
    ...texts.map((said, index): Step => {
      const isQuestion = index % 2 === 0;
      const message: Message = {
        role: isQuestion ? "user" : "assistant",
        content: text(said),
        at: BEGUN + index * 60,
        metadata: isQuestion ? {} : { model_slug: model },
      };
      return { id: `step-${index}`, parent: index === 0 ? "root" : `step-${index - 1}`, message };
    }),
  ];
}

/** A conversation of these steps; the last one ends the branch that is looked at by default. */
export function chatgptConversation(steps: readonly Step[], fields: Record<string, unknown> = {}): Record<string, unknown> {
  const mapping = Object.fromEntries(
    steps.map(({ id, parent, message }) => [
      id,
      {
        id,
        parent,
        children: steps.filter((step) => step.parent === id).map((step) => step.id),
        message: message && {
          id,
          author: { role: message.role, name: message.name ?? null, metadata: {} },
          create_time: message.at ?? null,
          update_time: null,
          content: message.content,
          status: "finished_successfully",
          end_turn: true,
          weight: 1,
          metadata: message.metadata ?? {},
          recipient: message.recipient ?? "all",
        },
      },
    ]),
  );
  const id = crypto.randomUUID();
  return {
    title: "A conversation",
    create_time: BEGUN,
    update_time: BEGUN + 600,
    mapping,
    moderation_results: [],
    current_node: steps.at(-1)?.id ?? null,
    plugin_ids: null,
    conversation_id: id,
    conversation_template_id: null,
    gizmo_id: null,
    is_archived: false,
    default_model_slug: "gpt-4o",
    id,
    ...fields,
  };
}

/** A conversation whose answer was asked for twice and whose question was edited, with a picture, a call of Python, thoughts and a source. */
export function richConversation(): Record<string, unknown> {
  const steps: Step[] = [
    { id: "root", parent: null, message: null },
    {
      id: "system",
      parent: "root",
      message: { role: "system", content: text(""), metadata: { is_visually_hidden_from_conversation: true } },
    },
    {
      id: "about",
      parent: "system",
      message: {
        role: "user",
        content: { content_type: "user_editable_context", user_profile: "Lives in Bern", user_instructions: "" },
        metadata: { is_user_system_message: true, is_visually_hidden_from_conversation: true },
      },
    },
    {
      id: "q1",
      parent: "about",
      message: {
        role: "user",
        at: BEGUN,
        content: {
          content_type: "multimodal_text",
          parts: [
            { content_type: "image_asset_pointer", asset_pointer: "file-service://file-AbC123photo", size_bytes: 70, width: 2, height: 2 },
            "What does this picture show?",
          ],
        },
        metadata: { attachments: [{ id: "file-AbC123photo", name: "holiday.png", mime_type: "image/png", size: 70 }] },
      },
    },
    {
      id: "think",
      parent: "q1",
      message: {
        role: "assistant",
        at: BEGUN + 5,
        content: { content_type: "thoughts", thoughts: [{ summary: "Looking closely", content: "It seems to be a lake." }] },
        metadata: { model_slug: "o3" },
      },
    },
    {
      id: "recap",
      parent: "think",
      message: {
        role: "assistant",
        at: BEGUN + 6,
        content: { content_type: "reasoning_recap", content: "Thought for 4 seconds" },
        metadata: { finished_duration_sec: 4 },
      },
    },
    {
      id: "call",
      parent: "recap",
      message: {
        role: "assistant",
        at: BEGUN + 7,
        recipient: "python",
        content: { content_type: "code", language: "unknown", text: "print(6 * 7)" },
        metadata: { model_slug: "o3" },
      },
    },
    {
      id: "output",
      parent: "call",
      message: { role: "tool", name: "python", at: BEGUN + 8, content: { content_type: "execution_output", text: "42" } },
    },
    {
      id: "a1",
      parent: "output",
      message: {
        role: "assistant",
        at: BEGUN + 9,
        content: text("It shows Lake Thun.\uE200cite\uE202turn0search0\uE201"),
        metadata: {
          model_slug: "o3",
          content_references: [
            {
              matched_text: "\uE200cite\uE202turn0search0\uE201",
              type: "grouped_webpages",
              items: [{ title: "Lake Thun", url: "https://example.org/thun", attribution: "example.org" }],
            },
          ],
        },
      },
    },
    {
      id: "a1-again",
      parent: "q1",
      message: {
        role: "assistant",
        at: BEGUN + 60,
        content: text("A lake between mountains."),
        metadata: { model_slug: "gpt-4-gizmo-old" },
      },
    },
    { id: "q2", parent: "a1", message: { role: "user", at: BEGUN + 120, content: text("How deep is it?") } },
    {
      id: "a2",
      parent: "q2",
      message: { role: "assistant", at: BEGUN + 130, content: text("217 metres."), metadata: { model_slug: "gpt-4o" } },
    },
    { id: "q2-edited", parent: "a1", message: { role: "user", at: BEGUN + 200, content: text("How long is it?") } },
    {
      id: "a2-edited",
      parent: "q2-edited",
      message: { role: "assistant", at: BEGUN + 210, content: text("17.5 kilometres."), metadata: { model_slug: "gpt-4o" } },
    },
  ];
  return chatgptConversation(steps, { title: "Holiday picture", conversation_id: "11111111-2222-4333-8444-555555555555" });
}

/** So many plain conversations, each with a title and words of its own. */
export function plainConversations(count: number, exchanges = 2): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => {
    const texts = Array.from(
      { length: exchanges * 2 },
      (__, place) => `${place % 2 === 0 ? "Question" : "Answer"} ${place} of number ${index}`,
    );
    return chatgptConversation(plainSteps(texts), { title: `Conversation ${index}`, create_time: BEGUN + index * 3600 });
  });
}
