/** The two data planes. Source: service description, "Versioning", row 4. */
export const environments = ['sandbox', 'production'] as const;

export type Environment = (typeof environments)[number];

/** Tag of every resource of a stage, with the stage's name; API Gateway's keys, which are no resources of a stack, have it too. */
export const stageTag = 'member-data:stage';

/** The one physical name of the app: the portal invokes an environment's function by it, from whatever account it is in. */
export function provisioningFunctionName(environment: Environment): string {
  return `member-data-${environment}-provisioning`;
}
