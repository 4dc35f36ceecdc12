/** How KaTeX sets a formula: MathML alone, nothing that loads or links, and an end to what expands without one. */
export const FORMULA_OPTIONS = {
  output: "mathml",
  throwOnError: true,
  strict: false,
  trust: false,
  maxExpand: 500,
  maxSize: 50,
} as const;

/** The elements a formula may consist of. */
export const MATHML_ELEMENTS: ReadonlySet<string> = new Set(
  (
    "math semantics annotation mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle mpadded mphantom merror menclose " +
    "msub msup msubsup munder mover munderover mmultiscripts mprescripts mtable mtr mtd mlabeledtr"
  ).split(" "),
);

/** Their attributes; none can carry an address, a style or code. */
export const MATHML_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    "display displaystyle scriptlevel mathvariant mathcolor mathbackground mathsize stretchy fence separator largeop movablelimits " +
    "symmetric accent accentunder form lspace rspace minsize maxsize width height depth voffset linethickness notation encoding " +
    "rowspacing columnspacing columnalign rowalign columnlines rowlines rowspan columnspan side"
  ).split(" "),
);
