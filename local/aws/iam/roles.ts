/** Local IAM: the roles and policies of the templates. */

import { AssemblyError } from '../../assembly/assembly-error.ts';
import type { Assembly, Resource } from '../../assembly/resources.ts';
import { compilePolicies, type Policies, type PolicyDocument } from './iam.ts';

/**
 * AWS-managed policies that a function's role may name, with the rights on services that exist locally. The basic execution role allows log
 * streams, which are the local system's own output.
 */
const awsManagedPolicies: Readonly<Record<string, PolicyDocument>> = {
  'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole': {
    Statement: {
      Effect: 'Allow',
      Action: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
      Resource: '*',
    },
  },
};

/** Makes the function that returns the compiled policies of a role by its ARN; each is compiled when it is first used. */
export function rolePolicies(assembly: Assembly): (roleArn: string) => Policies | undefined {
  const compiled = new Map<string, Policies>();
  const roles = new Map(assembly.ofType('AWS::IAM::Role').map((role) => [role.arn, role]));
  return (roleArn) => {
    const known = compiled.get(roleArn);
    if (known !== undefined) return known;
    const role = roles.get(roleArn);
    if (role === undefined) return undefined;
    const policies = compilePolicies(documentsOf(role, assembly));
    compiled.set(roleArn, policies);
    return policies;
  };
}

/**
 * All policy documents of a role: its own `Policies`, the `AWS::IAM::Policy` and `AWS::IAM::ManagedPolicy` resources that list it in
 * `Roles`, and the managed policies in its `ManagedPolicyArns`.
 *
 * @throws AssemblyError if it names a managed policy that is neither in the templates nor known here, or has a permissions boundary:
 * leaving one out would allow what AWS refuses.
 */
export function documentsOf(role: Resource, assembly: Assembly): readonly PolicyDocument[] {
  if (role.properties.PermissionsBoundary !== undefined) {
    throw new AssemblyError(
      `role ${role.logicalId} has a permissions boundary, which is not known on one machine`,
    );
  }
  const inline = listOf<{ PolicyDocument: PolicyDocument }>(role.properties.Policies).map(
    (policy) => policy.PolicyDocument,
  );
  const attached = [
    ...assembly.ofType('AWS::IAM::Policy'),
    ...assembly.ofType('AWS::IAM::RolePolicy'),
    ...assembly.ofType('AWS::IAM::ManagedPolicy'),
  ]
    .filter((policy) => rolesOf(policy).includes(role.physicalId))
    .map(documentOf);
  const named = listOf<string>(role.properties.ManagedPolicyArns).map((arn) => {
    const ours = assembly
      .ofType('AWS::IAM::ManagedPolicy')
      .find((policy) => policy.arn === arn || policy.physicalId === arn);
    const document =
      ours === undefined ? awsManagedPolicies[arn.replace(/^arn:aws[\w-]*:/, 'arn:aws:')] : documentOf(ours);
    if (document === undefined) {
      throw new AssemblyError(
        `role ${role.logicalId} names the managed policy ${arn}, which is not known on one machine`,
      );
    }
    return document;
  });
  return [...inline, ...attached, ...named];
}

function rolesOf(policy: Resource): readonly string[] {
  const { RoleName } = policy.properties;
  return typeof RoleName === 'string' ? [RoleName] : listOf<string>(policy.properties.Roles);
}

function documentOf(policy: Resource): PolicyDocument {
  return policy.properties.PolicyDocument as PolicyDocument;
}

function listOf<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value : [];
}

/** Whether a role that a service assumes allows an action. */
export function roleAllows(
  assembly: Assembly,
  roleArn: string,
  service: string,
  action: string,
  resource: string,
): boolean {
  const role = assembly.ofType('AWS::IAM::Role').find(({ arn }) => arn === roleArn);
  if (role === undefined) return false;
  const trust = JSON.stringify(role.properties.AssumeRolePolicyDocument ?? {});
  return (
    trust.includes(`"${service}"`) &&
    compilePolicies(documentsOf(role, assembly)).evaluate(action, resource) === 'allowed'
  );
}
