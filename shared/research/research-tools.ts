/** The tools that a deep research runs as its steps; no model is offered them. */
export const RESEARCH_TOOLS = { plan: "researchPlan", question: "researchQuestion", gaps: "researchGaps" } as const;
