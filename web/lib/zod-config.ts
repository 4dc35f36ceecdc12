import * as z from "zod/mini";

// zod would try whether it may compile its schemas by `new Function`, which the policy forbids and reports.
z.config({ jitless: true });
