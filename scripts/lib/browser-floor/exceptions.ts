import type { Lacking } from "./compat.ts";

/** Where something is used that an oldest browser lacks. */
export type Finding = Lacking & { path: string; line: number };

/** A feature that is used though an oldest browser lacks it: it and all that belongs to it, everywhere or in one file. */
export type Exception = { feature: string; path?: string; why: string };

/** What does no harm where a browser lacks it, each with the reason. One that nothing needs any more fails the check. */
export const EXCEPTIONS: Exception[] = [
  { feature: "css.at-rules.font-face.ascent-override", why: "what stands in for a face until it comes is a little higher" },
  { feature: "css.at-rules.font-face.descent-override", why: "what stands in for a face until it comes is a little higher" },
  { feature: "css.at-rules.font-face.line-gap-override", why: "what stands in for a face until it comes is a little higher" },
  { feature: "css.at-rules.starting-style", why: "what comes is there at once" },
  { feature: "css.properties.content-visibility", why: "what is out of sight is laid out as well; hidden lines stay unfound" },
  { feature: "css.properties.cursor", why: "a phone has no cursor" },
  {
    feature: "css.properties.field-sizing",
    why: "fields grow by code where they don't by themselves: web/lib/use-autosize.ts",
  },
  { feature: "css.properties.forced-color-adjust", why: "a browser without it has no forced colours" },
  {
    feature: "css.properties.overflow-clip-margin",
    path: "worker/conversation/public-page/page-style.ts",
    why: "a formula's edge is cut by some pixels",
  },
  { feature: "css.properties.resize", why: "a field grows with its text, and a finger scrolls it" },
  { feature: "css.properties.scrollbar-color", why: "the system's own scroll bar" },
  {
    feature: "css.properties.scrollbar-gutter",
    path: "web/features/conversation/transcript/transcript.tsx",
    why: "the column moves by half a scroll bar",
  },
  { feature: "css.properties.scrollbar-width", why: "the system's own scroll bar" },
  { feature: "css.properties.text-wrap", why: "lines break where they would" },
  { feature: "css.selectors.highlight", why: "marks are made where `CSS.highlights` is alone, and say nothing that stands nowhere else" },
  { feature: "css.selectors.selection", why: "the system's own colour" },
  { feature: "api.CanvasRenderingContext2D.imageSmoothingQuality", why: "a picture that is made smaller is a little coarser" },
  { feature: "api.Element.beforematch_event", why: "hidden lines stay unfound" },
  {
    feature: "api.Element.wheel_event",
    path: "web/features/people/profile-picture/picture-field.tsx",
    why: "two fingers do it, and so does the slider",
  },
  {
    feature: "api.Element.wheel_event",
    path: "web/features/conversation/transcript/use-transcript-scroll.ts",
    why: "on a phone a finger does it, which is heard as well",
  },
  {
    feature: "api.Element.touchmove_event",
    path: "web/features/conversation/transcript/use-transcript-scroll.ts",
    why: "where no finger scrolls, a wheel does, which is heard as well",
  },
  { feature: "api.Highlight", why: "it comes with `CSS.highlights`, which is asked for" },
  { feature: "api.Navigator.clearAppBadge", why: "it comes with `setAppBadge`, which is asked for" },
  { feature: "api.NotificationEvent.notification", why: "Safari has it since 16, iOS for applications on the home screen" },
  { feature: "api.ServiceWorkerGlobalScope.notificationclick_event", why: "iOS has it for applications on the home screen" },
  { feature: "api.ServiceWorkerGlobalScope.pushsubscriptionchange_event", why: "a browser that never tells keeps its subscription" },
  { feature: "html.global_attributes.autocapitalize", why: "a keyboard of keys capitalises nothing" },
];

/** Parts what was found from what may be, and names the exceptions that nothing needs. */
export function withoutExceptions(found: Finding[], exceptions = EXCEPTIONS): { left: Finding[]; unused: Exception[] } {
  const isOf = ({ feature, path }: Finding, exception: Exception) =>
    `${feature}.`.startsWith(`${exception.feature}.`) && (exception.path ?? path) === path;
  return {
    left: found.filter((finding) => !exceptions.some((exception) => isOf(finding, exception))),
    unused: exceptions.filter((exception) => !found.some((finding) => isOf(finding, exception))),
  };
}

/** A finding as a line: the place, the feature, and the version of the browsers that lack it. */
export function lineOf({ path, line, feature, lacks }: Finding): string {
  const browsers = Array.from(
    lacks,
    ([browser, since]) => `${browser} (${since === null ? "no version has it" : `it came with ${since}`})`,
  );
  return `${path}:${line} ${feature} is lacking in ${browsers.join(", ")}`;
}
