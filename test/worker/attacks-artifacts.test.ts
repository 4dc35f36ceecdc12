import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createArtifact, listArtifacts } from "#shared/contracts/artifacts.ts";
import { png } from "#test/support/pictures.ts";
import { outputOfCall, runTool } from "#test/support/tool-call.ts";
import { type Person, signIn, visit } from "#test/support/worker.ts";
import * as tools from "#worker/conversation/tools/artifacts/artifact-tools.ts";

const MARKUP = `<img src=x onerror=alert(1)>"'><script>alert(1)</script>`;
const MEGABYTE = 1024 * 1024;

async function make(person: Person): Promise<string> {
  return (await person.take(createArtifact, { body: { title: MARKUP, content: MARKUP } })).id;
}

/** A body of so many bytes that comes in chunks, its length unannounced. */
function chunkedBody(text: { before: string; after: string }, bytes: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let left = bytes;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(text.before)),
    pull(controller) {
      const size = Math.min(left, 64 * 1024);
      left -= size;
      if (size > 0) controller.enqueue(new Uint8Array(size).fill(0x78));
      else {
        controller.enqueue(encoder.encode(text.after));
        controller.close();
      }
    },
  });
}

it("what runs in a preview is shown in a document of an origin of nobody's, whatever it is asked by, and nowhere else", async () => {
  const answer = await visit(`/artifact-frame?x=${encodeURIComponent(MARKUP)}`);
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none';/);
  expect(policy).not.toContain("allow-same-origin");
  expect(await answer.text()).toBe(await (await visit("/artifact-frame")).text());
  const person = await signIn();
  const id = await make(person);
  for (const path of [`/api/artifacts/${id}`, `/api/artifacts/${id}/versions/1`, "/api/artifacts"]) {
    const { headers } = await person.fetch(path);
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  }
  const page = await (await person.fetch(`/artifacts/${id}`)).text();
  expect(page).not.toContain("onerror=alert");
});

it("what is too long is refused by each door, also where its length is not announced", async () => {
  const person = await signIn();
  const id = await make(person);
  const json = (path: string, method: string, before: string, bytes: number) =>
    person.fetch(path, { method, body: chunkedBody({ before, after: '"}' }, bytes), headers: { "content-type": "application/json" } });
  const doors = [
    ["/api/artifacts", "POST", '{"content":"'],
    ["/api/artifacts/upload-markdown", "POST", '{"filename":"a.md","content":"'],
    [`/api/artifacts/${id}/content`, "PUT", '{"base_version":1,"content":"'],
  ] as const;
  for (const [path, method, before] of doors) {
    for (const bytes of [MEGABYTE + 1, 8 * MEGABYTE]) expect([400, 413]).toContain((await json(path, method, before, bytes)).status);
  }
  const file = `/api/artifacts/${id}/files/${crypto.randomUUID()}?name=a.png`;
  expect((await person.fetch(file, { method: "PUT", body: chunkedBody({ before: "", after: "" }, 6 * MEGABYTE) })).status).toBe(413);
  const options = { userId: person.user.id };
  const created = await runTool(tools.createArtifact, { title: "Long", content: "é".repeat(MEGABYTE) }, options);
  expect(created.result).toMatchObject({ ok: false });
  const edits = [{ old_text: MARKUP, new_text: "é".repeat(MEGABYTE) }];
  expect((await runTool(tools.editArtifact, { artifact_id: id, edits }, options)).result).toMatchObject({ ok: false });
  expect((await person.take(listArtifacts, { query: {} })).artifacts).toHaveLength(1);
  expect(outputOfCall(await runTool(tools.readArtifact, { artifact_id: id }, options))).toContain("alert(1)");
});

it("names that lead elsewhere are names and nothing more: what is stored lies under ids alone", async () => {
  const person = await signIn();
  const id = await make(person);
  const before = new Set((await env.FILES.list()).objects.map(({ key }) => key));
  const fileId = crypto.randomUUID();
  for (const name of ["../../../x.png", String.raw`..\..\x.png`, "/etc/x.png", "a\u0000b.png", "x.png\r\nset-cookie: a=b"])
    await person.fetch(`/api/artifacts/${id}/files/${fileId}?name=${encodeURIComponent(name)}`, { method: "PUT", body: png(2, 2) });
  for (const wrong of ["..%2F..%2Fx", "%2e%2e", "a%00b", `${fileId}%2F..%2Fx`]) {
    const path = `/api/artifacts/${id}/files/${wrong}`;
    expect((await person.fetch(`${path}?name=a.png`, { method: "PUT", body: png(2, 2) })).status).toBeGreaterThanOrEqual(400);
    expect((await person.fetch(path)).status).toBeGreaterThanOrEqual(400);
  }
  const added = (await env.FILES.list()).objects.map(({ key }) => key).filter((key) => !before.has(key));
  expect(added).toEqual([`artifacts/${id}/files/${fileId}`]);
  const { headers } = await person.fetch(`/api/artifacts/${id}/files/${fileId}`);
  expect(headers.get("set-cookie")).toBeNull();
});

it("pictures that are something else as well are shown as the picture that their bytes begin as, where nothing in them runs, or refused", async () => {
  const person = await signIn();
  const id = await make(person);
  const both = new Uint8Array([...png(2, 2), ...new TextEncoder().encode(`<html><script>alert(1)</script></html>`)]);
  const path = `/api/artifacts/${id}/files/${crypto.randomUUID()}`;
  const sent = { method: "PUT", body: both, headers: { "content-type": "text/html" } };
  expect((await person.fetch(`${path}?name=a.html`, sent)).status).toBe(201);
  const { headers } = await person.fetch(path);
  expect(headers.get("content-type")).toBe("image/png");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'; sandbox");
  for (const hostile of ["GIF<script>", "<svg xmlns='http://www.w3.org/2000/svg'/>", "%PDF-1.7", "\u0089PNG", "RIFF0000AVI "]) {
    const other = `/api/artifacts/${id}/files/${crypto.randomUUID()}?name=a.png`;
    expect((await person.fetch(other, { method: "PUT", body: hostile, headers: { "content-type": "image/png" } })).status).toBe(415);
  }
});
