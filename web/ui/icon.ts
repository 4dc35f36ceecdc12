import { type ComponentProps, createElement } from "react";

/** A line of an icon, or another of its shapes by tag and attributes. */
type Shape = string | [tag: string, attributes: Record<string, string>];
type IconProps = ComponentProps<"svg"> & { size?: number | string };

/** An icon out of its shapes. A build makes those of lucide-react with it (scripts/lib/build/bare-icons.ts). */
export function icon(...shapes: Shape[]) {
  const drawing = shapes.map((shape, key) =>
    typeof shape === "string" ? createElement("path", { d: shape, key }) : createElement(shape[0], { ...shape[1], key }),
  );
  return function Icon({ size = 24, className = "", ...props }: IconProps) {
    const frame = { width: size, height: size, viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", strokeWidth: 2 };
    const ends = { strokeLinecap: "round", strokeLinejoin: "round" } as const;
    return createElement("svg", { "aria-hidden": true, ...frame, ...ends, ...props, className: `lucide ${className}` }, drawing);
  };
}
