/** Deploys the synthesized templates on this machine: resolves references and names resources. */

import { AssemblyError } from './assembly-error.ts';
import type { Stack, TemplateResource } from './cloud-assembly.ts';
import { type Identity, identify } from './identities.ts';
import { holds, resolve, type Scope } from './intrinsics.ts';
import type { Resource } from './resources.ts';
import { type VersionNumbers, versionNumbers } from './version-numbers.ts';

interface Deployed {
  readonly resource: Resource;
  readonly attributes: Identity['attributes'];
  /** Whether all attributes of the resource's type are known, so that an unknown one is a mistake. */
  readonly known: boolean;
}

type Outputs = Record<string, Record<string, string>>;

/**
 * Names every resource of every stack, and resolves the references in its properties, as CloudFormation does when it creates resources: in
 * the order of the references, whatever the order of the templates.
 *
 * @param versions those of a running system that gets changed templates.
 */
export function deployTemplates(
  stacks: readonly Stack[],
  versions: VersionNumbers = versionNumbers(),
): { resources: Resource[]; outputs: Outputs } {
  const regions = new Map<string, Map<string, () => unknown>>();
  const deployments = stacks.map((stack) => {
    const key = `${stack.account}/${stack.region}`;
    const exported = regions.get(key) ?? new Map<string, () => unknown>();
    regions.set(key, exported);
    return createStack(stack, exported, versions);
  });
  for (const deployment of deployments) deployment.declareExports();
  const outputs: Outputs = {};
  const resources = deployments.flatMap((deployment) => {
    outputs[deployment.name] = deployment.outputs();
    return deployment.resources();
  });
  return { resources, outputs };
}

/** The resources of one stack, each resolved when it is first referred to. `exported` has the exports of all stacks of a Region. */
function createStack(stack: Stack, exported: Map<string, () => unknown>, versions: VersionNumbers) {
  const { template } = stack;
  const made = new Map<string, Deployed>();
  const making = new Set<string>();
  const pseudo: Readonly<Record<string, unknown>> = {
    'AWS::AccountId': stack.account,
    'AWS::Region': stack.region,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackName': stack.name,
    'AWS::StackId': `arn:aws:cloudformation:${stack.region}:${stack.account}:stack/${stack.name}/1`,
    'AWS::NotificationARNs': [],
    'AWS::NoValue': undefined,
  };
  const fail = (message: string): never => {
    throw new AssemblyError(message);
  };

  function deployed(logicalId: string): Deployed {
    const existing = made.get(logicalId);
    if (existing !== undefined) return existing;
    const declared = template.Resources?.[logicalId] ?? fail(`there is no resource ${logicalId}`);
    if (making.has(logicalId)) fail(`${logicalId} refers to itself: ${[...making, logicalId].join(' → ')}`);
    making.add(logicalId);
    const created = create(logicalId, declared);
    making.delete(logicalId);
    made.set(logicalId, created);
    return created;
  }

  function create(logicalId: string, declared: TemplateResource): Deployed {
    const properties = located(`${logicalId} (${declared.Type})`, () =>
      resolve(declared.Properties ?? {}, scope),
    ) as Readonly<Record<string, unknown>>;
    const { environment, account, region, name } = stack;
    const naming = { stack: name, account, region, logicalId, type: declared.Type, properties };
    const { physicalId, arn, attributes, known } = identify({ ...naming, versions });
    const dependsOn = [declared.DependsOn ?? []].flat();
    const updatePolicy = resolve(declared.UpdatePolicy ?? {}, scope) as Readonly<Record<string, unknown>>;
    return {
      resource: { ...naming, environment, physicalId, arn, dependsOn, updatePolicy },
      attributes,
      known,
    };
  }

  /** Adds the location in the template to an error. */
  function located<T>(place: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof AssemblyError) || error.message.startsWith('stack ')) throw error;
      return fail(`stack ${stack.name}: ${place}: ${error.message}`);
    }
  }

  const scope: Scope = {
    ref(name) {
      if (Object.hasOwn(pseudo, name)) return pseudo[name];
      const parameter = template.Parameters?.[name];
      if (parameter === undefined) return deployed(name).resource.physicalId;
      return parameter.Default ?? fail(`parameter ${name} has no default`);
    },
    attribute(logicalId, name) {
      const { attributes, known, resource } = deployed(logicalId);
      if (Object.hasOwn(attributes, name)) return attributes[name];
      return known
        ? fail(`${logicalId} (${resource.type}) has no attribute ${name}`)
        : `${resource.physicalId}.${name}`;
    },
    importValue: (name) => (exported.get(name) ?? (() => fail(`no stack exports ${name}`)))(),
    mapping(map, key, name) {
      const rows = template.Mappings?.[map] as Record<string, Record<string, unknown>> | undefined;
      return rows?.[key]?.[name] ?? fail(`Fn::FindInMap: nothing at ${map}.${key}.${name}`);
    },
    condition: (name) => template.Conditions?.[name] ?? fail(`there is no condition ${name}`),
  };
  const exists = (declared: { readonly Condition?: string }) =>
    declared.Condition === undefined || holds({ Condition: declared.Condition }, scope);

  return {
    name: stack.name,
    declareExports() {
      for (const output of Object.values(template.Outputs ?? {})) {
        if (output.Export === undefined || !exists(output)) continue;
        const name = String(resolve(output.Export.Name, scope));
        if (exported.has(name)) fail(`stack ${stack.name}: export ${name} exists already`);
        exported.set(name, () => resolve(output.Value, scope));
      }
    },
    resources: () =>
      Object.entries(template.Resources ?? {})
        .filter(([, declared]) => exists(declared))
        .map(([logicalId]) => deployed(logicalId).resource),
    outputs: () =>
      Object.fromEntries(
        Object.entries(template.Outputs ?? {})
          .filter(([, output]) => exists(output))
          .map(([name, output]) => [
            name,
            located(`output ${name}`, () => String(resolve(output.Value, scope))),
          ]),
      ),
  };
}
