import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";

/** Base64url without padding; the lengths that encode whole bytes. */
function base64Url(minimum: number, maximum: number) {
  return z.string().check(
    z.regex(/^[A-Za-z0-9_-]+$/),
    z.minLength(minimum),
    z.maxLength(maximum),
    z.refine((text) => text.length % 4 !== 1),
  );
}

export const getMedia = endpoint("GET", "/api/media/:signature/:address", {
  summary: "An image of the web that a tool found, by the address that the tool's result gave for it",
  access: "user",
  params: z.object({ signature: base64Url(43, 43), address: base64Url(1, 4_000) }),
});
