/** Evaluation of a KMS key's policy in the stand-in of KMS, beside the role's own policies. */

import { compilePolicies, type Statement } from '../iam/iam.ts';
import { AwsError } from '../protocol/aws-error.ts';
import type { Caller, RequestContext } from '../protocol/service.ts';
import type { KmsKey } from './kms-keys.ts';

interface KeyStatement extends Statement {
  readonly Principal?: string | Readonly<Record<string, string | readonly string[]>>;
}

/**
 * A key's own policy must let the caller in, by its role or by its account; the role's policies are asked besides.
 * (AWS lets a key policy that names the role stand alone; here both are needed, which is stricter.)
 * Source: KMS developer guide, "Key policies in AWS KMS".
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
