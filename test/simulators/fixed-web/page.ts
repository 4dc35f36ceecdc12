/** A page of the fixed web. Its address exists nowhere else (RFC 2606); `images` are names under `/images/` of Exa's stand-in. */
export type WebPage = {
  url: string;
  title: string;
  published: string | null;
  author: string | null;
  text: string;
  images: readonly string[];
};
