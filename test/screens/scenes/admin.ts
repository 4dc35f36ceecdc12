import { change, fail, hold, scene } from "../scene.ts";
import { stretched } from "../stretched.ts";

const ADMIN = /\/api\/admin/;

for (const view of ["overview", "plans", "feedback", "jobs", "invites", "spend", "audit"]) {
  const path = view === "overview" ? "/admin" : `/admin?view=${view}`;
  scene(`admin-${view}`, async (page) => void (await page.goto(path)), { as: "admin" });
  scene(
    `admin-${view}-loading`,
    async (page) => {
      await hold(page, ADMIN);
      await page.goto(path);
    },
    { as: "admin", isLoading: true },
  );
  scene(
    `admin-${view}-failing`,
    async (page) => {
      await fail(page, ADMIN);
      await page.goto(path);
    },
    { as: "admin" },
  );
  scene(
    `admin-${view}-long`,
    async (page) => {
      await change(page, ADMIN, stretched);
      await page.goto(path);
    },
    { as: "admin" },
  );
}
scene("admin-nobody", async (page) => void (await page.goto("/admin")));
