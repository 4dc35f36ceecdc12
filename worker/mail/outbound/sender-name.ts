/** Many programs name a sender by the address itself; its sign has wide and small forms too. */
export function hasAddress(name: string): boolean {
  return name.normalize("NFKC").includes("@");
}

/** A person of a chat as their mail names them, or, where it does not, as they are called here. */
export function nameOfOwn(given: string, known: string | null): string {
  return given === "" || hasAddress(given) ? (known ?? given) : given;
}
