import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { getSession } from "#shared/contracts/account/auth.ts";
import { deletePicture } from "#shared/contracts/account/users.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import { until } from "#test/support/until.ts";
import { type Client, newAddress, visit, visitor } from "#test/support/worker.ts";
import { fetchPicture, isGooglePicture } from "#worker/platform/clients/google-picture.ts";
import { imageType } from "#worker/platform/clients/image-type.ts";

/** Signs in with Google as someone with this picture. */
async function signInWithPicture(picture: string, email = newAddress()) {
  const client = visitor();
  const start = await client.fetch("/api/auth/google/start");
  const consent = new URL(start.headers.get("location") ?? "");
  consent.searchParams.set("login_hint", email);
  consent.searchParams.set("picture", picture);
  const back = await fetch(consent, { redirect: "manual" });
  await client.fetch(back.headers.get("location") ?? "");
  return client;
}

it("a picture from Google is kept on our side and served from there as what it is", async () => {
  const client = await signInWithPicture(`${env.GOOGLE_SIMULATOR}/picture.png`);
  const path = await until("the picture", async () => (await client.take(getSession, {})).user?.profile_image);
  expect(path).toMatch(/^\/api\/pictures\/[0-9a-f-]{36}$/);
  const response = await visit(path);
  expect(response.headers.get("content-type")).toBe("image/png");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(imageType(new Uint8Array(await response.arrayBuffer()))).toBe("image/png");
});

it("a picture from Google that was removed does not come back with the next sign-in", async () => {
  const [picture, email] = [`${env.GOOGLE_SIMULATOR}/picture.png`, newAddress()];
  const imageOf = async (client: Client) => (await client.take(getSession, {})).user?.profile_image ?? null;
  const client = await signInWithPicture(picture, email);
  await until("the picture", () => imageOf(client));
  await client.take(deletePicture, {});
  const again = await signInWithPicture(picture, email);
  // Whoever signs in later has theirs: this one's would be there by now.
  const other = await signInWithPicture(picture);
  await until("the other's picture", () => imageOf(other));
  expect(await imageOf(again)).toBeNull();
});

it("a picture from Google is not fetched from anywhere else", () => {
  const real = deploymentWith({ GOOGLE_TOKEN_URL: undefined });
  expect(isGooglePicture(real, "https://lh3.googleusercontent.com/a/x=s96-c")).toBe(true);
  for (const address of [
    "http://lh3.googleusercontent.com/a",
    "https://googleusercontent.com.evil.example/a",
    "https://evilgoogleusercontent.com/a",
    "https://lh3.googleusercontent.com:8443/a",
    "https://lh3.googleusercontent.com@evil.example/a",
    "https://169.254.169.254/",
    "http://[::ffff:a9fe:a9fe]/",
    "file:///etc/passwd",
    "data:image/png;base64,x",
    "not an address",
  ]) {
    expect({ address, isTaken: isGooglePicture(real, address) }).toEqual({ address, isTaken: false });
  }
});

it("a picture from Google is not taken when it is no image, or not there", async () => {
  expect(await fetchPicture(env, `${env.GOOGLE_SIMULATOR}/oauth2/v3/certs`)).toBeNull();
  expect(await fetchPicture(env, `${env.GOOGLE_SIMULATOR}/nowhere.png`)).toBeNull();
  expect(imageType(new TextEncoder().encode("<svg onload=alert(1)>"))).toBeNull();
  expect(imageType(new Uint8Array())).toBeNull();
});

it("a picture from Google is 404 under an id that nobody has", async () => {
  expect((await visit(`/api/pictures/${crypto.randomUUID()}`)).status).toBe(404);
  expect((await visit("/api/pictures/..%2Fother")).status).toBe(404);
});
