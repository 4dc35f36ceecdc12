import type { Table } from "mdast";
import { createContext, type ReactNode } from "react";

/** A table, and how it is drawn plainly. */
export type AnswerTableProps = { node: Table; plain: ReactNode };

/** Draws the tables of a text: in a synthesis one may say where its models stand. */
export const AnswerTableContext = createContext<(props: AnswerTableProps) => ReactNode>(({ plain }) => plain);
