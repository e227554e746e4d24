/** Descriptions of what an account has, in services that describe nothing else here: certificates, stacks, parameters, names. */

import * as z from 'zod/mini';
import type { Assembly } from '../../assembly/resources.ts';
import { AwsError } from '../protocol/aws-error.ts';
import { operation, type Service } from '../protocol/service.ts';
import { type AccountContext, empty, type RestService } from './account-context.ts';

const bootstrapVersion = '28';
const dayMs = 86_400_000;

/** The identity of the caller. */
export function callerIdentity(): Service {
  return {
    operations: {
      GetCallerIdentity: operation(empty, {
        action: 'sts:GetCallerIdentity',
        resource: () => '*',
        run: (_input, { account, arn }) => ({ UserId: 'AIDAEXAMPLE', Account: account, Arn: arn }),
      }),
    },
  };
}

/** The certificates that the templates name. */
export function certificates({ assembly, gaps, now, reads }: AccountContext): Service {
  return {
    operations: {
      DescribeCertificate: reads(
        'acm:DescribeCertificate',
        z.strictObject({ CertificateArn: z.string() }),
        ({ CertificateArn }) => {
          const hosts = hostsOf(assembly, CertificateArn);
          const names = gaps.has('certificate-names') ? ['other.example'] : hosts;
          const Certificate = {
            CertificateArn,
            DomainName: names[0],
            SubjectAlternativeNames: names,
            Status: gaps.has('issued-certificate') ? 'PENDING_VALIDATION' : 'ISSUED',
            // ACM's certificates are valid for 198 days; renewal is due 60 days before the end.
            NotAfter: Math.floor((now() + 150 * dayMs) / 1_000),
          };
          return { Certificate };
        },
      ),
    },
  };
}

/** API Gateway's role for logs, usage plans and domain names. The control plane lists the keys. */
export function gatewayAccount({ gaps, isDeployed, reads }: AccountContext): RestService {
  return {
    routes: [
      { operation: 'GetAccount', method: 'GET', path: '/account', input: () => ({}) },
      { operation: 'GetUsagePlans', method: 'GET', path: '/usageplans', input: () => ({}) },
      {
        operation: 'GetDomainName',
        method: 'GET',
        path: '/domainnames/{name}',
        input: ({ path }) => ({ domainName: path.name }),
      },
    ],
    operations: {
      GetAccount: reads('apigateway:GET', empty, (_input, { account }) => {
        const role = gaps.has('log-role') ? 'OtherApisLogRole' : 'GatewayLogRole';
        const cloudwatchRoleArn = `arn:aws:iam::${account}:role/${role}`;
        return isDeployed() || gaps.has('log-role') ? { cloudwatchRoleArn } : {};
      }),
      GetUsagePlans: reads('apigateway:GET', empty, () => ({ item: [] })),
      GetDomainName: reads('apigateway:GET', z.strictObject({ domainName: z.string() }), ({ domainName }) => {
        if (isDeployed()) return { domainName };
        throw new AwsError('NotFoundException', 'Invalid domain name identifier specified', 404);
      }),
    },
  };
}

/** Log groups. */
export function logGroups({ isDeployed, reads }: AccountContext): Service {
  return {
    operations: {
      DescribeLogGroups: reads(
        'logs:DescribeLogGroups',
        z.strictObject({ logGroupNamePrefix: z.string() }),
        ({ logGroupNamePrefix: logGroupName }) => ({ logGroups: isDeployed() ? [{ logGroupName }] : [] }),
      ),
    },
  };
}

/** Secrets Manager, with the secrets of an earlier deployment in their recovery window where the account has those. */
export function withLeftSecrets(service: Service, { gaps, now, reads, remains }: AccountContext): Service {
  const describeLeft = reads(
    'secretsmanager:DescribeSecret',
    z.strictObject({ SecretId: z.string() }),
    ({ SecretId: Name }) => {
      if (remains('AWS::SecretsManager::Secret', 'Name', Name)) {
        return { Name, DeletedDate: Math.floor(now() / 1_000) + (7 * dayMs) / 1_000 };
      }
      throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    },
  );
  const { DescribeSecret: describe = describeLeft } = service.operations;
  return {
    operations: {
      ...service.operations,
      DescribeSecret: (input, caller) => {
        const isRehearsed = caller.everyAccount === true && (gaps.has('names') || gaps.has('rights'));
        return isRehearsed ? describeLeft(input, caller) : describe(input, caller);
      },
    },
  };
}

/** State machines. */
export function stateMachines({ isDeployed, reads }: AccountContext): Service {
  return {
    operations: {
      DescribeStateMachine: reads(
        'states:DescribeStateMachine',
        z.strictObject({ stateMachineArn: z.string() }),
        ({ stateMachineArn }) => {
          if (isDeployed()) return { stateMachineArn };
          throw new AwsError(
            'StateMachineDoesNotExist',
            `State Machine Does Not Exist: '${stateMachineArn}'`,
          );
        },
      ),
    },
  };
}

/** The version of CDK's bootstrap stack. */
export function parameters({ gaps, reads }: AccountContext): Service {
  return {
    operations: {
      GetParameter: reads('ssm:GetParameter', z.strictObject({ Name: z.string() }), ({ Name }) => {
        if (gaps.has('bootstrap')) throw new AwsError('ParameterNotFound', Name);
        return { Parameter: { Name, Type: 'String', Value: bootstrapVersion } };
      }),
    },
  };
}

/** Stacks and their status. */
export function stackStatuses({ assembly, gaps, isDeployed, reads }: AccountContext): Service {
  return {
    operations: {
      DescribeStacks: reads(
        'cloudformation:DescribeStacks',
        z.strictObject({ StackName: z.string() }),
        ({ StackName }) => {
          if (!isDeployed() || !assembly.resources.some(({ stack }) => stack === StackName)) {
            throw new AwsError('ValidationError', `Stack with id ${StackName} does not exist`);
          }
          const StackStatus = gaps.has('whole-stacks') ? 'ROLLBACK_COMPLETE' : 'CREATE_COMPLETE';
          return { Stacks: [{ StackName, StackStatus }] };
        },
      ),
    },
  };
}

/** The hosts for which the templates use a certificate. */
function hostsOf(assembly: Assembly, arn: string): readonly string[] {
  const domains = assembly
    .ofType('AWS::ApiGateway::DomainName')
    .filter(({ properties }) => properties.RegionalCertificateArn === arn)
    .map(({ properties }) => String(properties.DomainName));
  const aliases = assembly.ofType('AWS::CloudFront::Distribution').flatMap(({ properties }) => {
    const { ViewerCertificate, Aliases } = properties.DistributionConfig as {
      readonly ViewerCertificate?: { readonly AcmCertificateArn?: string };
      readonly Aliases?: readonly string[];
    };
    return ViewerCertificate?.AcmCertificateArn === arn ? (Aliases ?? []) : [];
  });
  return [...domains, ...aliases];
}
