/** Compares the templates of a release with the deployed ones. */

import { type Assembly, assemblyOf, type Resource } from '../assembly/resources.ts';

/** Types of resources whose changes a running system takes over. */
const takenOver = new Set([
  'AWS::CDK::Metadata',
  'AWS::CloudWatch::Alarm',
  'AWS::Lambda::Alias',
  'AWS::Lambda::Function',
  'AWS::Lambda::Version',
  'AWS::Logs::MetricFilter',
]);

/** A release changes resources that the running system has read at its start. */
export class NotReleasable extends Error {
  override readonly name = 'NotReleasable';
}

/**
 * The stacks that a release changes.
 *
 * @throws NotReleasable naming a resource that only a restart changes.
 */
export function changedStacks(deployed: Assembly, released: Assembly): readonly string[] {
  const before = byId(deployed);
  const after = byId(released);
  const changed = [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const [old, current] = [before.get(id), after.get(id)];
    const resource = current ?? old;
    return resource === undefined || textOf(old) === textOf(current) ? [] : [resource];
  });
  const other = changed.find(({ type }) => !takenOver.has(type));
  if (other !== undefined) {
    throw new NotReleasable(
      `${other.stack}/${other.logicalId} (${other.type}) changes too, which a running system can't do. Restart it: npm start`,
    );
  }
  return [...new Set(changed.map(({ stack }) => stack))];
}

/** ARNs of a stack's functions whose code or configuration a release changes. */
export function changedFunctions(deployed: Assembly, released: Assembly, stack: string): ReadonlySet<string> {
  const before = byId(deployed);
  const functions = released.ofType('AWS::Lambda::Function').filter((each) => each.stack === stack);
  return new Set(
    functions
      .filter((each) => textOf(before.get(`${stack}/${each.logicalId}`)) !== textOf(each))
      .map(({ arn }) => arn),
  );
}

/** The deployed assembly with one stack of the release. */
export function withStack(deployed: Assembly, released: Assembly, stack: string): Assembly {
  const resources = [
    ...deployed.resources.filter((each) => each.stack !== stack),
    ...released.resources.filter((each) => each.stack === stack),
  ];
  return {
    ...assemblyOf(resources, { ...deployed.outputs(), [stack]: released.outputs()[stack] ?? {} }),
    assetPath: (key) => released.assetPath(key) ?? deployed.assetPath(key),
  };
}

function byId(assembly: Assembly): ReadonlyMap<string, Resource> {
  return new Map(assembly.resources.map((each) => [`${each.stack}/${each.logicalId}`, each]));
}

function textOf(resource: Resource | undefined): string | undefined {
  return resource && JSON.stringify([resource.type, resource.properties, resource.updatePolicy]);
}
