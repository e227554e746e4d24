/** The two data planes. Source: service description, "Versioning", row 4. */
export const environments = ['sandbox', 'production'] as const;

export type Environment = (typeof environments)[number];
