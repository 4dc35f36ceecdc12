import * as z from "zod/mini";
import { Id } from "#shared/entities/ids.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

/** Base64url without padding; the lengths that encode whole bytes. */
function base64Url(minimum: number, maximum: number) {
  return z.string().check(
    z.regex(/^[A-Za-z0-9_-]+$/),
    z.minLength(minimum),
    z.maxLength(maximum),
    z.refine((text) => text.length % 4 !== 1),
  );
}

export const offerImage = endpoint("GET", "/api/chat/:id/messages/:messageId/image", {
  summary: "Our own address of a foreign image that stands in a message, for one who wants to see it; nothing is fetched yet",
  access: "user",
  // Members alone: we fetch on someone's behalf.
  action: "search",
  params: z.object({ id: Id, messageId: Id }),
  query: z.object({
    /** As it stands in the message; https, at a public name. */
    url: z.string().check(z.minLength(1), z.maxLength(2_000)),
  }),
  response: z.object({ url: z.string() }),
});

export const getMedia = endpoint("GET", "/api/media/:signature/:address", {
  summary: "An image of the web, by the address that a tool's result or `offerImage` gave for it",
  access: "user",
  params: z.object({ signature: base64Url(43, 43), address: base64Url(1, 4_000) }),
});
