/** Local IAM: identifies callers by access key. */

import { AssemblyError } from '../../assembly/assembly-error.ts';
import type { Assembly } from '../../assembly/resources.ts';
import { AwsError } from '../protocol/aws-error.ts';
import type { Caller, Credential } from '../protocol/service.ts';
import { rolePolicies } from './roles.ts';

/** The owner of an access key. */
export interface RoleSession {
  readonly roleArn: string;
  /** ARN of the function that runs in the role; it names the session. */
  readonly functionArn?: string;
  /** Whether the function runs in the background: its database calls yield to those of others. */
  readonly isBackground?: boolean;
}

/**
 * Access key ID of the person who runs commands on this machine. It is allowed everything, like an administrator of every account. With a dot
 * and an account number (`local-operator.111122223333`), it belongs to that account.
 */
export const operatorAccessKeyId = 'local-operator';

/**
 * Reads the credential scope from a Signature Version 4 header or signed URL. A header's signature is not verified: the endpoint listens on
 * the loopback interface only, and only the role of a call matters. The signature of a URL is verified (`presigned.ts`), because others
 * than its signer use it. Session tokens are ignored.
 *
 * @returns undefined if there is no such signature.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function readCredential(
  authorization: string | undefined,
  url: string | undefined,
): Credential | undefined {
  const scope = /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\/\d{8}\/([\w-]+)\/([\w-]+)\/aws4_request/.exec(
    authorization ?? presignedScope(url ?? ''),
  );
  const [, accessKeyId, region, service] = scope ?? [];
  if (accessKeyId === undefined || region === undefined || service === undefined) return undefined;
  return { accessKeyId, region, service };
}

/** The credential scope of a signed URL (its query parameters), in the form of the header. `presigned.ts` verifies the URL. */
function presignedScope(url: string): string {
  const { searchParams } = new URL(url, 'http://endpoint');
  return `AWS4-HMAC-SHA256 Credential=${searchParams.get('X-Amz-Credential') ?? ''}`;
}

/** Makes the function that identifies a caller. `accessDenied` is the protocol's name for a refusal. */
export function callerDirectory(
  assembly: Assembly,
  sessions: ReadonlyMap<string, RoleSession>,
): (accessKeyId: string, accessDenied: string) => Caller | undefined {
  const policiesOf = rolePolicies(assembly);
  const known = new Map<string, Caller>();

  function roleCaller({ roleArn, functionArn }: RoleSession, accessDenied: string): Caller {
    const policies = policiesOf(roleArn);
    if (policies === undefined) throw new AssemblyError(`no template declares the role ${roleArn}`);
    const [, , , , account = '', role = ''] = roleArn.split(':');
    const session = functionArn?.split(':')[6] ?? 'local';
    const arn = `arn:aws:sts::${account}:assumed-role/${role.split('/').at(-1)}/${session}`;
    const identity = {
      'aws:principalarn': [roleArn],
      'aws:principalaccount': [account],
      'aws:securetransport': ['true'],
    };
    return {
      arn,
      account,
      principals: [roleArn, ...accountPrincipals(account)],
      authorize(action, resource, context) {
        const verdict = policies.evaluate(action, resource, { ...identity, ...context });
        if (verdict === 'allowed') return;
        const because =
          verdict === 'explicitly denied'
            ? 'with an explicit deny in an identity-based policy'
            : `because no identity-based policy allows the ${action} action`;
        throw new AwsError(
          accessDenied,
          `User: ${arn} is not authorized to perform: ${action} on resource: ${resource} ${because}`,
          403,
        );
      },
    };
  }

  return (accessKeyId, accessDenied) => {
    const remembered = known.get(`${accessKeyId} ${accessDenied}`);
    if (remembered !== undefined) return remembered;
    const session = sessions.get(accessKeyId);
    const caller =
      session !== undefined
        ? roleCaller(session, accessDenied)
        : accessKeyId.split('.', 1).join() === operatorAccessKeyId
          ? operator(assembly, accessKeyId.split('.')[1])
          : undefined;
    if (caller !== undefined) known.set(`${accessKeyId} ${accessDenied}`, caller);
    return caller;
  };
}

function operator(assembly: Assembly, account = assembly.resources[0]?.account ?? '000000000000'): Caller {
  const arn = `arn:aws:iam::${account}:user/local-operator`;
  const principals = [arn, ...accountPrincipals(account)];
  return { arn, account, principals, everyAccount: true, authorize: () => {} };
}

function accountPrincipals(account: string): readonly string[] {
  return [`arn:aws:iam::${account}:root`, account, '*'];
}
