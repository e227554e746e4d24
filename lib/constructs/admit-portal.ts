import { AccountPrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Configuration } from '../config/configuration.ts';

/**
 * Lets the portal's account invoke a function of an environment, if it is another account: its own policies are not enough there.
 */
export function admitPortal(
  invoked: LambdaFunction,
  { account }: Pick<Configuration, 'account'>,
  portalAccount: string,
): void {
  if (portalAccount === account) return;
  invoked.addPermission('Portal', { principal: new AccountPrincipal(portalAccount) });
}
