/** The two data planes. Source: service description, "Versioning", row 4. */
export const environments = ['sandbox', 'production'] as const;

export type Environment = (typeof environments)[number];

/** The one physical name of the app: the portal invokes an environment's function by it, from whatever account it is in. */
export function provisioningFunctionName(environment: Environment): string {
  return `member-data-${environment}-provisioning`;
}
