/** Local KMS: evaluates a key's own policy, in addition to the role's policies. */

import { compilePolicies, type Statement } from '../iam/iam.ts';
import { AwsError } from '../protocol/aws-error.ts';
import type { Caller, RequestContext } from '../protocol/service.ts';
import type { KmsKey } from './kms-keys.ts';

interface KeyStatement extends Statement {
  readonly Principal?: string | Readonly<Record<string, string | readonly string[]>>;
}

/**
 * Checks that the key's policy allows the caller, by its role or its account; the role's own policies are checked too. (In AWS a key policy
 * that names the role is enough; requiring both is stricter.) Source: KMS developer guide, "Key policies in AWS KMS".
 *
 * @throws AwsError `AccessDeniedException`.
 */
export function authorizeByKeyPolicy(
  key: Pick<KmsKey, 'arn' | 'policy'>,
  caller: Caller,
  action: string,
  context: RequestContext,
): void {
  const { Statement = [] } = (key.policy ?? {}) as { Statement?: KeyStatement | readonly KeyStatement[] };
  const account = `arn:aws:iam::${key.arn.split(':')[4]}:root`;
  const principals = caller.everyAccount === true ? [...caller.principals, account] : caller.principals;
  const own = [Statement]
    .flat()
    .filter(({ Principal }) => names(Principal).some((name) => principals.includes(name)));
  const verdict = compilePolicies([{ Statement: own }]).evaluate(action, key.arn, context);
  if (verdict === 'allowed') return;
  throw new AwsError(
    'AccessDeniedException',
    `User: ${caller.arn} is not authorized to perform: ${action} on resource: ${key.arn} because no resource-based policy allows the ${action} action`,
  );
}

function names(principal: KeyStatement['Principal']): readonly string[] {
  if (typeof principal === 'string') return [principal];
  const { AWS = [] } = principal ?? {};
  return typeof AWS === 'string' ? [AWS] : AWS;
}
