/** Quotas and sandboxes: what AWS lets an account do with Lambda, SES and SNS. */

import * as z from 'zod/mini';
import type { Assembly } from '../../assembly/resources.ts';
import { AwsError } from '../protocol/aws-error.ts';
import type { Service } from '../protocol/service.ts';
import { type AccountContext, empty, type RestService } from './account-context.ts';

/** Concurrent executions of an account with a raised quota, and of many new ones. */
const raisedConcurrency = 2_000;
const newConcurrency = 10;

/** Lambda's concurrency, runtimes and functions. */
export function lambdaAccount({ assembly, gaps, isDeployed, reads, remains }: AccountContext): RestService {
  return {
    routes: [
      {
        operation: 'GetAccountSettings',
        method: 'GET',
        path: '/2016-08-19/account-settings',
        input: () => ({}),
      },
      {
        operation: 'GetAccountSettings',
        method: 'GET',
        path: '/2016-08-19/account-settings/',
        input: () => ({}),
      },
      {
        operation: 'ListLayers',
        method: 'GET',
        path: '/2018-10-31/layers',
        input: ({ query }) => ({ CompatibleRuntime: query.get('CompatibleRuntime') ?? undefined }),
      },
      {
        operation: 'GetFunctionConfiguration',
        method: 'GET',
        path: '/2015-03-31/functions/{name}/configuration',
        input: ({ path }) => ({ FunctionName: path.name }),
      },
    ],
    operations: {
      GetAccountSettings: reads('lambda:GetAccountSettings', empty, (_input, { account }) => {
        const limit = gaps.has('concurrency') ? newConcurrency : raisedConcurrency;
        const reserved = isDeployed() ? reservedIn(assembly, account) : 0;
        const AccountLimit = {
          ConcurrentExecutions: limit,
          UnreservedConcurrentExecutions: Math.max(0, limit - reserved),
        };
        return { AccountLimit };
      }),
      ListLayers: reads(
        'lambda:ListLayers',
        z.strictObject({ CompatibleRuntime: z.string() }),
        ({ CompatibleRuntime }) => {
          if (!gaps.has('runtime')) return { Layers: [] };
          throw new AwsError(
            'InvalidParameterValueException',
            `Value ${CompatibleRuntime} at 'compatibleRuntime' failed to satisfy constraint: Member must satisfy enum value set`,
          );
        },
      ),
      GetFunctionConfiguration: reads(
        'lambda:GetFunctionConfiguration',
        z.strictObject({ FunctionName: z.string() }),
        ({ FunctionName }) => {
          if (remains('AWS::Lambda::Function', 'FunctionName', FunctionName)) return { FunctionName };
          throw new AwsError('ResourceNotFoundException', `Function not found: ${FunctionName}`, 404);
        },
      ),
    },
  };
}

/** SES's sandbox and identities. */
export function sesAccount({ gaps, isDeployed, reads }: AccountContext): RestService {
  return {
    routes: [
      { operation: 'GetAccount', method: 'GET', path: '/v2/email/account', input: () => ({}) },
      {
        operation: 'GetEmailIdentity',
        method: 'GET',
        path: '/v2/email/identities/{identity}',
        input: ({ path }) => ({ EmailIdentity: path.identity }),
      },
    ],
    operations: {
      GetAccount: reads('ses:GetAccount', empty, () => ({
        ProductionAccessEnabled: !gaps.has('mail'),
        SendingEnabled: true,
      })),
      GetEmailIdentity: reads(
        'ses:GetEmailIdentity',
        z.strictObject({ EmailIdentity: z.string() }),
        ({ EmailIdentity }) => {
          if (isDeployed()) return { IdentityType: 'DOMAIN' };
          throw new AwsError('NotFoundException', `Email identity ${EmailIdentity} does not exist.`, 404);
        },
      ),
    },
  };
}

/** SNS's SMS sandbox, spending limit and numbers. */
export function snsAccount({ gaps, reads }: AccountContext): Service {
  return {
    operations: {
      GetSMSSandboxAccountStatus: reads('sns:GetSMSSandboxAccountStatus', empty, () => ({
        IsInSandbox: gaps.has('text-messages'),
      })),
      GetSMSAttributes: reads(
        'sns:GetSMSAttributes',
        z.strictObject({ attributes: z.array(z.literal('MonthlySpendLimit')) }),
        () => ({
          attributes: { entry: { key: 'MonthlySpendLimit', value: gaps.has('text-messages') ? '1' : '500' } },
        }),
      ),
      ListOriginationNumbers: reads('sns:ListOriginationNumbers', empty, () => ({
        PhoneNumbers: gaps.has('text-messages')
          ? []
          : [{ PhoneNumber: '+12025550199', Status: 'ACTIVE', NumberCapabilities: ['SMS'] }],
      })),
    },
  };
}

function reservedIn(assembly: Assembly, account: string): number {
  return assembly
    .ofType('AWS::Lambda::Function')
    .filter((each) => each.account === account)
    .reduce((sum, { properties }) => sum + Number(properties.ReservedConcurrentExecutions ?? 0), 0);
}
