/** The steps of a release, which the workflow `.github/workflows/release.yml` and `npm run release` carry out in this order. */

import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';

/** The stages that are deployed, each to its own AWS account. */
export const stages = ['sandbox', 'production', 'portal'] as const;
export type ReleaseStage = (typeof stages)[number];

/** Folder of the cloud assembly that is deployed: made once, the same for every stage. */
export const assemblyFolder = 'cdk.out';

/** One step: a command in a shell, or an act of the program itself. */
export interface ReleaseStep {
  readonly id: string;
  readonly about: string;
  /** The stage whose account's credentials the step needs. In the workflow it is the GitHub environment too. */
  readonly stage?: ReleaseStage;
  /** Whether a person must approve before the step. */
  readonly approval?: true;
  readonly act:
    | { readonly command: readonly string[] }
    /** Writes the assembly's fingerprint. */
    | { readonly fingerprint: 'write' }
    /** Shows what changes in the stage: resources and rights. */
    | { readonly changes: ReleaseStage }
    /** Deploys the working tree to the running local system. */
    | { readonly machine: 'deploy' };
}

/** Outputs of a stage's stacks, by which the smoke test finds its hosts and functions. */
const outputs = (stage: ReleaseStage) => `outputs-${stage}.json`;

/** The line of business that is deployed before the others. */
export const firstLineOfBusiness: LineOfBusiness = 'EGWP';

function deploy(stacks: string): readonly string[] {
  // The bundles are in the assembly: cdk.json's build, which the CLI runs for an assembly too, would make them again.
  const command = ['npx', 'cdk', 'deploy', '--app', assemblyFolder, '--build', 'true', stacks];
  return [...command, '--require-approval', 'never'];
}

function deployment(stage: ReleaseStage, approval?: true): readonly ReleaseStep[] {
  const approved = approval !== undefined && { approval };
  const first: ReleaseStep = {
    id: `first-${stage}`,
    about: `deploys one line of business of ${stage}, and the stacks that it needs`,
    stage,
    ...approved,
    act: { command: deploy(`${stage}/Lob${firstLineOfBusiness}`) },
  };
  return [
    {
      id: `changes-${stage}`,
      about: `shows the resources that change in ${stage}, and the rights that functions gain or lose`,
      stage,
      act: { changes: stage },
    },
    ...(stage === 'portal' ? [] : [first]),
    {
      id: `deploy-${stage}`,
      about: `deploys the assembly to ${stage}`,
      stage,
      // The approval of the first line of business is for all.
      ...(stage === 'portal' && approved),
      act: { command: [...deploy(`${stage}/*`), '--outputs-file', outputs(stage)] },
    },
  ];
}

function smoke(stage: 'sandbox' | 'production'): ReleaseStep {
  const command = ['npm', 'run', 'demo', '--', '--target', outputs(stage), '--environment', stage, '--quiet'];
  return {
    id: `smoke-${stage}`,
    about: `checks ${stage} as apps, members and the plan’s data team use it`,
    stage,
    act: { command },
  };
}

/** All steps, in order. A failed step ends the release. */
export const releaseSteps: readonly ReleaseStep[] = [
  {
    id: 'items',
    about: 'reads the items that earlier releases wrote; a store that can’t is not deployed',
    act: { command: ['npx', 'vitest', 'run', '--project', 'engine', 'test/releases'] },
  },
  {
    id: 'build',
    about: 'bundles the functions, and synthesizes and validates the templates, once for all stages',
    act: { command: ['npm', 'run', 'synth:validate'] },
  },
  {
    id: 'fingerprint',
    about: 'writes the SHA-256 of the assembly, which every later step compares',
    act: { fingerprint: 'write' },
  },
  ...deployment('sandbox'),
  smoke('sandbox'),
  ...deployment('production', true),
  smoke('production'),
  ...deployment('portal'),
];

/** Steps that release the working tree to the local system while it runs. */
export const machineSteps: readonly ReleaseStep[] = [
  {
    id: 'deploy-machine',
    about: 'deploys changed functions to the running local system, one line of business first',
    act: { machine: 'deploy' },
  },
  {
    id: 'smoke-machine',
    about: 'checks the local system as apps, members and the plan’s data team use it',
    act: { command: ['npm', 'run', 'demo', '--', '--target', '.local/system.json', '--quiet'] },
  },
];

/** Steps that look for drift, on a schedule: resources that were changed outside of a deployment. */
export const driftSteps: readonly ReleaseStep[] = stages.map((stage) => ({
  id: `drift-${stage}`,
  about: `fails if a resource of ${stage} was changed by hand`,
  stage,
  act: {
    command: ['npx', 'cdk', 'drift', '--app', assemblyFolder, '--build', 'true', `${stage}/*`, '--fail'],
  },
}));
