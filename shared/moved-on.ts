/** Why a message is not taken that was written without what came before it. */
export const MOVED_ON = "This chat went on meanwhile. Read what came, then send your message.";
