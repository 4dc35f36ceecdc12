/** Who lives in the pictures. */
export const OWNER = { email: "lena@nordlicht.example", name: "Lena Brandt" };
export const COLLEAGUES = [
  { email: "karim@nordlicht.example", name: "Karim Saidi" },
  { email: "hanna@nordlicht.example", name: "Hanna Voss" },
  { email: "tomas@nordlicht.example", name: "Tomás Ribeiro" },
] as const;
export const NEWCOMER = { email: "paul@moreau.example", name: "Paul Moreau" };
/** One of the local deployment's administrators. */
export const ADMIN = { email: "admin@example.com", name: "Ines Okafor" };
