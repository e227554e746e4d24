/** The parts of AWS services that describe an account; they only read. */

import type { Assembly } from '../../assembly/resources.ts';
import type { Service } from '../protocol/service.ts';
import { accountContext } from './account-context.ts';
import type { AccountGap } from './account-gaps.ts';
import {
  callerIdentity,
  certificates,
  gatewayAccount,
  logGroups,
  parameters,
  stackStatuses,
  stateMachines,
  withLeftSecrets,
} from './descriptions.ts';
import { lambdaAccount, sesAccount, snsAccount } from './quotas-and-sandboxes.ts';

/**
 * Describes the account of the templates, as prepared but for the gaps: a part of each service, by its signing name. SES's second API is
 * signed as `ses` too, and is `sesv2` here.
 */
export function accountServices(assembly: Assembly, gaps: ReadonlySet<AccountGap>, now: () => number) {
  const context = accountContext(assembly, gaps, now);
  return {
    acm: certificates(context),
    apigateway: gatewayAccount(context),
    cloudformation: stackStatuses(context),
    lambda: lambdaAccount(context),
    logs: logGroups(context),
    secretsmanager: (service: Service) => withLeftSecrets(service, context),
    sesv2: sesAccount(context),
    sns: snsAccount(context),
    ssm: parameters(context),
    states: stateMachines(context),
    sts: callerIdentity(),
  };
}
