import { imageAddresses } from "#shared/markdown/image-addresses.ts";
import { roomOf } from "../chat-room/stub.ts";
import { readerOf } from "../chats/prepare-turn.ts";
import { publicUrl } from "../clients/public-address.ts";
import { isStandIn } from "../clients/remote-image.ts";
import type { Caller, Env } from "../env.ts";
import { AppError, unwrap } from "../app-error.ts";
import { countOrRefuse, hourly } from "../http/rate-limit.ts";
import { mediaUrl } from "./media.ts";

/** Images one person may ask for in an hour: more than anyone looks at. */
const PER_HOUR = 300;

type Input = { caller: Caller; chatId: string; messageId: string; address: string };

/**
 * Our own address of a foreign image that stands in a message: only there, so nobody has us fetch what they like.
 * Throws NOT_FOUND, INVALID_INPUT for an address that is not https at a public name, and RATE_LIMITED.
 */
export async function offerImage(env: Env, { caller, chatId, messageId, address }: Input): Promise<string> {
  // First: who may ask for it and whether it stands there is work already.
  await countOrRefuse(env, `image:${caller.userId}`, hourly(PER_HOUR), "RATE_LIMITED");
  const text = unwrap(await roomOf(env, chatId).readText(readerOf(caller), messageId));
  if (!imageAddresses(text).has(address)) throw new AppError("NOT_FOUND", { message: "This image is not in the message any more." });
  if (publicUrl(address)?.protocol !== "https:" && !isStandIn(env, address)) {
    throw new AppError("INVALID_INPUT", { message: "Images are loaded from public https addresses only." });
  }
  return mediaUrl(env, address);
}
