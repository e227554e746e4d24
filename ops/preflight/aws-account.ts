/** Asks an AWS account through the SDK. */

import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import {
  APIGatewayClient,
  GetDomainNameCommand,
  GetAccountCommand as GetGatewayAccountCommand,
  paginateGetApiKeys,
  paginateGetUsagePlans,
} from '@aws-sdk/client-api-gateway';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import {
  GetAccountSettingsCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
  ListLayersCommand,
  type Runtime,
} from '@aws-sdk/client-lambda';
import { GetHostedZoneCommand, Route53Client } from '@aws-sdk/client-route-53';
import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  GetEmailIdentityCommand,
  GetAccountCommand as GetMailAccountCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import { DescribeStateMachineCommand, SFNClient } from '@aws-sdk/client-sfn';
import {
  GetSMSAttributesCommand,
  GetSMSSandboxAccountStatusCommand,
  paginateListOriginationNumbers,
  SNSClient,
} from '@aws-sdk/client-sns';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { AccountUnreachable, type CloudAccount, RightMissing } from './account.ts';
import type { NamedKind, NamedResource } from './needs.ts';

/** Configuration of an AWS client: the local system's endpoint and credentials, or empty for the operator's own. */
interface ClientConfiguration {
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/**
 * Makes the account in which a stage is deployed.
 *
 * @param account number of the account, for the ARNs of state machines.
 */
export function awsAccount(
  configuration: ClientConfiguration,
  account: string,
  region: string,
): CloudAccount {
  const own = { ...configuration, region };
  const sts = new STSClient(own);
  const lambda = new LambdaClient(own);
  const mail = new SESv2Client(own);
  const sns = new SNSClient(own);
  const route53 = new Route53Client(own);
  const gateway = new APIGatewayClient(own);
  const ssm = new SSMClient(own);
  const cloudFormation = new CloudFormationClient(own);
  const logs = new CloudWatchLogsClient(own);
  const secrets = new SecretsManagerClient(own);
  const stateMachines = new SFNClient(own);

  const present = async (ask: Promise<unknown>) => ((await found(ask)) === undefined ? undefined : 'present');
  const named: Readonly<Record<NamedKind, (name: string) => Promise<'present' | 'deleting' | undefined>>> = {
    'AWS::Lambda::Function': (FunctionName) =>
      present(lambda.send(new GetFunctionConfigurationCommand({ FunctionName }))),
    'AWS::SES::EmailIdentity': (EmailIdentity) =>
      present(mail.send(new GetEmailIdentityCommand({ EmailIdentity }))),
    'AWS::ApiGateway::DomainName': (domainName) =>
      present(gateway.send(new GetDomainNameCommand({ domainName }))),
    'AWS::StepFunctions::StateMachine': (name) => {
      const stateMachineArn = `arn:aws:states:${region}:${account}:stateMachine:${name}`;
      return present(stateMachines.send(new DescribeStateMachineCommand({ stateMachineArn })));
    },
    async 'AWS::Logs::LogGroup'(logGroupNamePrefix) {
      const { logGroups = [] } = await logs.send(new DescribeLogGroupsCommand({ logGroupNamePrefix }));
      return logGroups.some(({ logGroupName }) => logGroupName === logGroupNamePrefix)
        ? 'present'
        : undefined;
    },
    async 'AWS::SecretsManager::Secret'(SecretId) {
      const secret = await found(secrets.send(new DescribeSecretCommand({ SecretId })));
      if (secret === undefined) return undefined;
      return secret.DeletedDate === undefined ? 'present' : 'deleting';
    },
  };

  return whereRightsAreNamed({
    async callerAccount() {
      const { Account: number = '' } = await sts.send(new GetCallerIdentityCommand());
      return number;
    },
    async concurrency() {
      const { AccountLimit = {} } = await lambda.send(new GetAccountSettingsCommand());
      const { ConcurrentExecutions: limit = 0, UnreservedConcurrentExecutions: unreserved = 0 } =
        AccountLimit;
      return { limit, unreserved };
    },
    async knowsRuntime(runtime) {
      // Lambda checks the runtime against those it knows, and refuses others, even if there are no layers.
      const command = new ListLayersCommand({ CompatibleRuntime: runtime as Runtime, MaxItems: 1 });
      return (
        (await found(lambda.send(command), 'InvalidParameterValueException', 'ValidationException')) !==
        undefined
      );
    },
    async mail() {
      const { ProductionAccessEnabled = false, SendingEnabled = false } = await mail.send(
        new GetMailAccountCommand(),
      );
      return { productionAccess: ProductionAccessEnabled, sending: SendingEnabled };
    },
    async textMessages() {
      const { IsInSandbox = true } = await sns.send(new GetSMSSandboxAccountStatusCommand());
      const { attributes = {} } = await sns.send(
        new GetSMSAttributesCommand({ attributes: ['MonthlySpendLimit'] }),
      );
      let originationNumbers = 0;
      for await (const { PhoneNumbers = [] } of paginateListOriginationNumbers({ client: sns }, {})) {
        originationNumbers += PhoneNumbers.filter(({ NumberCapabilities = [] }) =>
          NumberCapabilities.includes('SMS'),
        ).length;
      }
      return {
        sandbox: IsInSandbox,
        monthlyDollars: Number(attributes.MonthlySpendLimit ?? 1),
        originationNumbers,
      };
    },
    async certificate(arn) {
      const acm = new ACMClient({ ...own, region: arn.split(':')[3] ?? region });
      const answer = await found(acm.send(new DescribeCertificateCommand({ CertificateArn: arn })));
      if (answer?.Certificate === undefined) return undefined;
      const { Status = '', DomainName = '', SubjectAlternativeNames = [], NotAfter } = answer.Certificate;
      return {
        status: Status,
        names: [...new Set([DomainName, ...SubjectAlternativeNames])],
        expiresAt: NotAfter,
      };
    },
    async hostedZone(id) {
      const answer = await found(route53.send(new GetHostedZoneCommand({ Id: id })));
      return answer?.HostedZone?.Name?.replace(/\.$/, '');
    },
    async gatewayLogRole() {
      const { cloudwatchRoleArn } = await gateway.send(new GetGatewayAccountCommand());
      return cloudwatchRoleArn;
    },
    async gatewayUse() {
      const page = { client: gateway, pageSize: 500 };
      return {
        apiKeys: await countOf(paginateGetApiKeys(page, { includeValues: false })),
        usagePlans: await countOf(paginateGetUsagePlans(page, {})),
      };
    },
    async bootstrapVersion(parameter) {
      const answer = await found(ssm.send(new GetParameterCommand({ Name: parameter })));
      return answer === undefined ? undefined : Number(answer.Parameter?.Value);
    },
    async stackStatus(name) {
      const answer = await found(
        cloudFormation.send(new DescribeStacksCommand({ StackName: name })),
        'ValidationError',
      );
      return answer?.Stacks?.[0]?.StackStatus;
    },
    named: ({ kind, name }: NamedResource) => named[kind](name),
  });
}

/** Names of the services' exceptions for what does not exist. */
const notFound = new Set([
  'NoSuchHostedZone',
  'NotFoundException',
  'ParameterNotFound',
  'ResourceNotFoundException',
  'StateMachineDoesNotExist',
]);

/** The answer, or undefined for what does not exist: an exception of `notFound` or one of `more`. */
async function found<Answer>(ask: Promise<Answer>, ...more: readonly string[]): Promise<Answer | undefined> {
  try {
    return await ask;
  } catch (error) {
    if (error instanceof Error && (notFound.has(error.name) || more.includes(error.name))) return undefined;
    throw error;
  }
}

async function countOf(
  pages: AsyncIterable<{ readonly items?: readonly unknown[] | undefined }>,
): Promise<number> {
  let count = 0;
  for await (const { items = [] } of pages) count += items.length;
  return count;
}

/** Names under which the services refuse a caller that lacks a right. */
const refusals = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'AuthorizationErrorException',
  'AuthorizationError',
]);

/** Makes every question throw `RightMissing` where the service refuses the caller, and `AccountUnreachable` at any other failure. */
function whereRightsAreNamed(account: CloudAccount): CloudAccount {
  const questions = Object.entries(account).map(([name, ask]) => [
    name,
    async (...args: readonly unknown[]) => {
      try {
        return await ask(...args);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (error instanceof Error && refusals.has(error.name)) throw new RightMissing(message);
        throw new AccountUnreachable(
          `AWS gave no answer: ${message}. Set AWS_PROFILE to a profile with valid credentials, or start the local system (npm start).`,
        );
      }
    },
  ]);
  return Object.fromEntries(questions);
}
