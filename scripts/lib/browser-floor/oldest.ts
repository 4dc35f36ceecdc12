/** The oldest browsers that the product runs in; README.md, web/index.html and the build say the same. */
export const OLDEST = { chrome: "120", edge: "120", firefox: "128", safari: "17.4", ios: "17.4" } as const;

/** What the build may write in, as its tools read it. */
export const BUILD_TARGET = Object.entries(OLDEST).map(([browser, version]) => `${browser}${version}`);
