import type { ContextInput, Contribution } from "#worker/conversation/turn/contribution.ts";

const FOR_PHONE =
  "The person writes from a messaging app on their phone, and this answer is sent there: be brief, and use neither tables, headings nor formulas unless they ask for them.";

/** How an answer is written that goes out by the messaging app. */
export async function contributeMessagingStyle({ request }: ContextInput): Promise<Partial<Contribution>> {
  return request.kind === "send" && request.messaging ? { sections: [{ kind: "notes", text: FOR_PHONE }] } : {};
}
