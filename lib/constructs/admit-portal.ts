import { AccountPrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Configuration } from '../config/configuration.ts';

/**
 * Lets the portal's account invoke an environment's function, if the accounts differ: then the portal's own IAM policies are not enough.
 */
export function admitPortal(
  invoked: LambdaFunction,
  { account }: Pick<Configuration, 'account'>,
  portalAwsAccount: string,
): void {
  if (portalAwsAccount === account) return;
  invoked.addPermission('Portal', { principal: new AccountPrincipal(portalAwsAccount) });
}
