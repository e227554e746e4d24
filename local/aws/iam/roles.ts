/** Local IAM: the roles and policies of the templates. */

import { AssemblyError } from '../../assembly/assembly-error.ts';
import type { Assembly, Resource } from '../../assembly/resources.ts';
import { compilePolicies, type Policies, type PolicyDocument } from './iam.ts';

/**
 * AWS-managed policies a function's role may name. Only what they allow of the services that exist here matters: the
 * basic execution role allows log streams, which on one machine are the runner's own output.
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

/** The compiled policies of every role the templates declare, by role ARN; compiled when first asked for. */
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
 * Every policy document a role has: its own `Policies`, the `AWS::IAM::Policy` and `AWS::IAM::ManagedPolicy` resources
 * that name it under `Roles`, and the managed policies it names under `ManagedPolicyArns`.
 *
 * @throws AssemblyError when it names a managed policy that is neither in the templates nor known here, or has a
 * permissions boundary: leaving it out would allow what AWS refuses.
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

/** Whether a role that a service takes on allows an action. */
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
