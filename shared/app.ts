/** The product's name, said in one place. */
export const APP_NAME = "Polylogue";
