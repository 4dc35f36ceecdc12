import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { decryptPush, subscribed, toBytes, toText } from "#test/support/push.ts";
import { encryptPush } from "#worker/platform/clients/push/encrypt.ts";

/** The example of RFC 8291, section 5 and appendix A. */
const RFC = {
  text: "When I grow up, I want to be a watermelon",
  sender: {
    d: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
    point: "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
  },
  receiver: {
    d: "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
    point: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  },
  salt: "DGv6ra1nlYgDCS1FRnbzlw",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
  body: "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};

const CURVE = { name: "ECDH", namedCurve: "P-256" };

function jwkOf({ d, point }: typeof RFC.sender): JsonWebKey {
  const bytes = toBytes(point);
  return { kty: "EC", crv: "P-256", d, x: toText(bytes.slice(1, 33)), y: toText(bytes.slice(33)) };
}

it("the encryption of pushes makes of RFC 8291's example its very bytes", async () => {
  const { d: _d, ...open } = jwkOf(RFC.sender);
  const pair = {
    privateKey: await crypto.subtle.importKey("jwk", jwkOf(RFC.sender), CURVE, false, ["deriveBits"]),
    publicKey: await crypto.subtle.importKey("jwk", open, CURVE, true, []),
  };
  const body = await encryptPush(RFC.text, { p256dh: RFC.receiver.point, auth: RFC.auth }, { salt: toBytes(RFC.salt), pair });
  expect(toText(body)).toBe(RFC.body);
});

it("the encryption of pushes is undone by a browser that knows the example alone", async () => {
  const privateKey = await crypto.subtle.importKey("jwk", jwkOf(RFC.receiver), CURVE, false, ["deriveBits"]);
  expect(await decryptPush(toBytes(RFC.body), { privateKey, p256dh: RFC.receiver.point, auth: RFC.auth })).toBe(RFC.text);
});

it("the encryption of pushes is another each time, and no other browser reads it", async () => {
  const [receiver, other] = await Promise.all([subscribed(env.PUSH_SIMULATOR), subscribed(env.PUSH_SIMULATOR)]);
  const [first, second] = await Promise.all([encryptPush("Ünïcode 🍉", receiver), encryptPush("Ünïcode 🍉", receiver)]);
  expect(toText(first)).not.toBe(toText(second));
  expect(await decryptPush(first, receiver)).toBe("Ünïcode 🍉");
  await expect(decryptPush(second, other)).rejects.toMatchObject({ name: "OperationError" });
});
