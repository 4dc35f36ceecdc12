/** What the product is, in one line and in some: for the application and for pages of the server's own. */
export const ABOUT_LINE = "One chat with every model.";
export const ABOUT_TEXT =
  "Ask one model, continue with another, and keep the whole conversation. Answers go on while you are away and are there, complete, on every device you sign in on.";
