import { afterEach, expect, it, vi } from "vitest";
import { connectCodegen } from "#shared/contracts/outbound/codegen.ts";
import { memoryStorage } from "#test/support/memory-storage.ts";
import { call, endOldSession, hasSignedOut, markSigningOut, onReauthenticationRequired, serverMessage } from "#web/lib/api.ts";

afterEach(() => vi.unstubAllGlobals());

async function failureOf(answer: () => Promise<Response>): Promise<unknown> {
  vi.stubGlobal("fetch", answer);
  return call(connectCodegen, { body: { orgId: "1", token: "t" } }).catch((error: unknown) => error);
}

it("the server's words of a failure are distinguished from ours where it has none", async () => {
  const ofServer = await failureOf(async () => Response.json({ error: "Codegen is busy.", code: "RATE_LIMITED" }, { status: 429 }));
  expect(serverMessage(ofServer)).toBe("Codegen is busy.");
  expect(serverMessage(await failureOf(async () => new Response("<h1>Bad gateway</h1>", { status: 502 })))).toBeNull();
  expect(serverMessage(await failureOf(async () => Promise.reject(new TypeError("no network"))))).toBeNull();
  expect(serverMessage(new Error("a fault of the page"))).toBeNull();
});

it("a call that needs a fresh sign-in is made again once that is given, with all that was in it, and fails where it is not", async () => {
  const bodies: unknown[] = [];
  let isFresh = false;
  vi.stubGlobal("fetch", async (_: string, { body }: RequestInit) => {
    bodies.push(body);
    return isFresh
      ? Response.json({ message: "Connected" })
      : Response.json({ error: "Again.", code: "FRESH_SIGN_IN_REQUIRED" }, { status: 403 });
  });
  const connect = () => call(connectCodegen, { body: { orgId: "1", token: "t" } });
  const stop = onReauthenticationRequired(async () => {
    isFresh = true;
    return true;
  });
  expect(await connect()).toEqual({ message: "Connected" });
  expect(bodies).toEqual(Array.from({ length: 2 }, () => JSON.stringify({ orgId: "1", token: "t" })));
  isFresh = false;
  stop();
  const refuse = vi.fn<() => Promise<boolean>>(async () => false);
  await expect(connect()).rejects.toMatchObject({ code: "FRESH_SIGN_IN_REQUIRED" });
  const stopAgain = onReauthenticationRequired(refuse);
  await expect(connect()).rejects.toMatchObject({ code: "FRESH_SIGN_IN_REQUIRED" });
  expect(refuse).toHaveBeenCalledTimes(1);
  stopAgain();
});

it("whoever left without a network has their session ended before anything else is asked, once for all that is asked", async () => {
  vi.stubGlobal("localStorage", memoryStorage());
  const asked: string[] = [];
  let answer = () => Promise.reject<Response>(new TypeError("no network"));
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    return answer();
  });
  markSigningOut();
  const connect = () => call(connectCodegen, { body: { orgId: "1", token: "t" } });
  await expect(connect()).rejects.toMatchObject({ code: "OFFLINE", message: expect.stringContaining("You have signed out") });
  answer = async () => Response.json({ error: "Not now.", code: "INTERNAL" }, { status: 503 });
  await expect(connect()).rejects.toMatchObject({ code: "OFFLINE" });
  expect([new Set(asked), hasSignedOut()]).toEqual([new Set(["/api/auth/signout"]), true]);

  asked.length = 0;
  answer = async () => Response.json({ ok: true, message: "Connected" });
  // Google's way in is no call: the session that it makes would be taken for the one to end.
  await endOldSession();
  await endOldSession();
  expect([asked, hasSignedOut()]).toEqual([["/api/auth/signout"], false]);

  asked.length = 0;
  markSigningOut();
  await Promise.all([connect(), connect()]);
  expect(asked).toEqual(["/api/auth/signout", "/api/codegen/connect", "/api/codegen/connect"]);
  // A session that has ended already is as good as ended.
  markSigningOut();
  answer = async () => Response.json({ error: "Please sign in.", code: "UNAUTHENTICATED" }, { status: 401 });
  await expect(connect()).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  expect(hasSignedOut()).toBe(false);
});

it("nobody has left where the code that forgets them does not come", async () => {
  vi.stubGlobal("localStorage", memoryStorage());
  vi.resetModules();
  vi.doMock("#web/features/people/session/forget-here.ts", () => {
    throw new Error("The network is gone.");
  });
  const [{ leave, isSigningOut }, fresh] = await Promise.all([
    import("#web/features/people/session/enter-and-leave.ts"),
    import("#web/lib/api.ts"),
  ]);
  const isHere = await leave({ everywhere: false }).then(
    () => false,
    () => true,
  );
  expect([isHere, isSigningOut(), fresh.hasSignedOut(), Object.keys(localStorage)]).toEqual([true, false, false, []]);
  vi.doUnmock("#web/features/people/session/forget-here.ts");
  vi.resetModules();
});

it("a prompt to sign in again is answered by the one who was asked, and by nobody else who signs in elsewhere", async () => {
  const { isStillHere } = await import("#web/features/people/session/prove-again.ts");
  const { keys, queryClient } = await import("#web/lib/query.ts");
  queryClient.setQueryData(keys.session, { user: { id: "ann" } });
  expect([await isStillHere("ann"), await isStillHere("bob")]).toEqual([true, false]);
  queryClient.setQueryData(keys.session, { user: null });
  expect(await isStillHere("ann")).toBe(false);
  queryClient.clear();
});
