import { expect, it } from "vitest";
import { visit } from "#test/support/worker.ts";

function form(fields: Record<string, string | File>): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return body;
}

it("what is shared with the application without its service worker comes into a new chat's composer, and neither the sender's page nor a file in it matters", async () => {
  const body = form({ title: "A page", text: "Read & this", url: "https://elsewhere.example/?a=1", files: new File(["x"], "x.txt") });
  const answer = await visit("/share", { method: "POST", body, headers: { origin: "null" } });
  expect(answer.status).toBe(303);
  expect(answer.headers.get("location")).toBe(
    `/new?prompt=${encodeURIComponent("A page\n\nRead & this\n\nhttps://elsewhere.example/?a=1")}`,
  );
});

it("what is shared with the application without its service worker is refused where another site's page sends it", async () => {
  for (const site of ["cross-site", "same-site"]) {
    const answer = await visit("/share", { method: "POST", body: form({ text: "Said" }), headers: { "sec-fetch-site": site } });
    expect(answer.status).toBe(403);
  }
  const handed = await visit("/share", { method: "POST", body: form({ text: "Said" }), headers: { "sec-fetch-site": "none" } });
  expect(handed.headers.get("location")).toBe("/new?prompt=Said");
});

it("what is shared with the application without its service worker leads to an empty new chat where nothing can be read of it", async () => {
  const tooMuch = form({ text: "Said", files: new File([new Uint8Array(1_100_000)], "x.bin") });
  for (const body of [new FormData(), tooMuch, "not a form"]) {
    const answer = await visit("/share", { method: "POST", body });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/new"]);
  }
  expect((await visit("/share")).status).toBe(404);
});
