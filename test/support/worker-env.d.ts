import type { D1Migration } from "cloudflare:test";
import type { Variables } from "#worker/platform/config/config.ts";
import type { Env } from "#worker/platform/env.ts";
import type { ChatRoomRpc } from "#worker/conversation/room/rpc.ts";
import type { UserHubRpc } from "#worker/conversation/hub/rpc.ts";
import type { DriveIndexRpc } from "#worker/integrations/google/drive/drive-index/rpc.ts";
import type { PassageIndexRpc } from "#worker/library/passages/passage-index/rpc.ts";
import type { RateLimiterRpc } from "#worker/platform/rate-limiter/rpc.ts";

/** The objects, each with what its class can be asked. */
type Objects = {
  CHAT_ROOM: DurableObjectNamespace<ChatRoomRpc>;
  USER_HUB: DurableObjectNamespace<UserHubRpc>;
  RATE_LIMITER: DurableObjectNamespace<RateLimiterRpc>;
  PASSAGES: DurableObjectNamespace<PassageIndexRpc>;
  DRIVE_INDEX: DurableObjectNamespace<DriveIndexRpc>;
};

type TestEnv = Omit<Env, keyof Objects> &
  Objects &
  Variables & {
    TEST_MIGRATIONS: D1Migration[];
    /** How many readers a message is counted for, with blanks between. */
    TEST_READERS: string;
    TEST_FAR_MS: string;
    TEST_KNOWLEDGE: string;
    /** Base URLs of the simulators, to look at what reached them and to set faults. */
    MAILBOX_SIMULATOR: string;
    AGGREGATOR_SIMULATOR: string;
    GOOGLE_SIMULATOR: string;
    PARALLEL_SIMULATOR: string;
    EXA_SIMULATOR: string;
    DNS_SIMULATOR: string;
    MCP_SIMULATOR: string;
    CODEGEN_SIMULATOR: string;
    BLAND_SIMULATOR: string;
    WHATSAPP_SIMULATOR: string;
    PUSH_SIMULATOR: string;
  };

declare global {
  namespace Cloudflare {
    // oxlint-disable-next-line typescript/no-empty-interface
    interface Env extends TestEnv {}
    interface GlobalProps {
      mainModule: typeof import("../../worker/index.ts");
    }
  }
}
