import { Exchange } from "./exchange.tsx";

/** What the product's name means, and what that looks like. */
export function LoginAside() {
  return (
    <aside aria-label="What a polylogue is" className="hidden flex-1 bg-s1 pt-[clamp(136px,calc(50dvh-200px),250px)] desk:block">
      <div className="mx-auto w-full max-w-520 px-24">
        <p className="font-serif text-28">
          polylogue <span className="ml-4 text-21 font-normal text-ink2 italic">noun</span>
        </p>
        <p className="mt-8 font-serif text-21 font-normal text-ink2">A conversation in which more than two take part.</p>
        <div className="mt-40">
          <Exchange />
        </div>
      </div>
    </aside>
  );
}
