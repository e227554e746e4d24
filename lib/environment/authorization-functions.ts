import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { TokenIssuer } from '../../lambdas/catalog/token-issuer.ts';
import { CodeMessages } from './code-messages.ts';
import {
  add,
  auditPartitions,
  items,
  lookUp,
  partitions,
  patientAuditPartitions,
  read,
  signingKeys,
  tableKey,
  write,
} from './data-access.ts';
import type { EnvironmentData, EnvironmentStackProps } from './environment-data.ts';
import { EnvironmentFunction, type FunctionEnvironment } from './environment-function.ts';
import { addressValues, lifetimeValues, tableValues } from './environment-values.ts';

/** Partitions of a member's sign-in, consent and tokens (`lambdas/storage/keys.ts`). */
const memberJourney = ['INTERACTION#*', 'CODE#*', 'REFRESH#*', 'GRANT#*'];

/** Partitions of the rates counted per member over all LOBs. */
const memberRates = 'MEMBERS#RATE#*';

/** Partitions of a member's session at the connected apps, and of known browsers. */
const memberVisit = ['SESSION#*', 'BROWSER#*'];

export interface AuthorizationFunctionsProps extends EnvironmentStackProps {
  readonly data: EnvironmentData;
}

interface FunctionProps {
  readonly name: string;
  readonly reservedConcurrency: number;
  readonly environment: FunctionEnvironment;
  readonly statements: readonly PolicyStatement[];
}

/** The functions of the authorization server and of the machine-to-machine token host. */
export class AuthorizationFunctions extends Construct {
  readonly authorize: LambdaFunction;
  readonly token: LambdaFunction;
  readonly discovery: LambdaFunction;
  readonly userinfo: LambdaFunction;
  readonly machineToken: LambdaFunction;
  readonly machineAuthorizer: LambdaFunction;
  private readonly props: AuthorizationFunctionsProps;

  constructor(scope: Construct, id: string, props: AuthorizationFunctionsProps) {
    super(scope, id);
    this.props = props;
    const { data, configuration } = props;
    const lobs = configuration.linesOfBusiness;
    const messages = new CodeMessages(this, 'Messages', configuration);
    const authorize = this.create('Authorize', this.authorizeProps(lobs, messages));
    messages.acknowledge(authorize.policy);
    data.alarms.messagesNotSent('MembersNotReached', authorize.log);
    this.authorize = authorize.function;
    this.token = this.create('Token', this.tokenProps(lobs)).function;
    this.discovery = this.create('Discovery', {
      name: 'discovery',
      reservedConcurrency: 20,
      environment: {},
      statements: [items(data, lookUp, partitions([...lobs, 'M2M'], ['JWKS'])), tableKey(data)],
    }).function;
    this.userinfo = this.create('Userinfo', {
      name: 'userinfo',
      reservedConcurrency: 20,
      environment: this.rateValues(),
      statements: [
        items(data, lookUp, ['CLIENT#*', ...partitions(lobs, ['GRANT#*', 'JWKS'])]),
        items(data, ['dynamodb:UpdateItem'], partitions(lobs, ['RATE#*'])),
        items(data, add, auditPartitions(lobs)),
        tableKey(data),
      ],
    }).function;
    this.machineToken = this.create('MachineToken', this.machineTokenProps()).function;
    this.machineAuthorizer = this.create('MachineAuthorizer', {
      name: 'machine-authorizer',
      reservedConcurrency: 20,
      environment: {},
      statements: [items(data, lookUp, partitions(['M2M'], ['KEY#*'])), tableKey(data)],
    }).function;
  }

  private create(id: string, props: FunctionProps): EnvironmentFunction {
    const { configuration, data, bundles } = this.props;
    return new EnvironmentFunction(this, id, {
      ...props,
      bundles,
      logKey: data.logKey,
      environment: {
        ...addressValues(configuration),
        ...tableValues(data),
        ...lifetimeValues(configuration),
        ...props.environment,
      },
    });
  }

  /** Sign-in and consent: the only function that may try a member's password. */
  private authorizeProps(lobs: readonly TokenIssuer[], messages: CodeMessages): FunctionProps {
    const { data, configuration } = this.props;
    return {
      name: 'authorize',
      reservedConcurrency: 40,
      environment: {
        memberPoolId: data.memberPool.pool.userPoolId,
        memberPoolClientId: data.memberPool.client.userPoolClientId,
        memberVerification: configuration.memberVerification,
        messageSender: messages.sender,
        codeDigestKeyId: messages.codeDigestKey.keyArn,
      },
      statements: [
        items(data, read, [
          'CLIENT#*',
          memberRates,
          ...partitions(lobs, [...memberJourney, ...memberVisit, 'MEMBER#*']),
        ]),
        // An id_token comes back as a hint.
        items(data, lookUp, partitions(lobs, ['JWKS'])),
        items(data, write, [memberRates, ...partitions(lobs, [...memberJourney, ...memberVisit])]),
        items(data, add, auditPartitions(lobs)),
        // A member sees what was read of theirs.
        items(data, ['dynamodb:Query'], patientAuditPartitions(lobs)),
        tableKey(data),
        data.memberPool.statement(['AdminInitiateAuth', 'AdminGetUser', 'DescribeUserPoolClient']),
        ...messages.statements(),
      ],
    };
  }

  private rateValues(): FunctionEnvironment {
    return { tokenRequestsPerMinute: `${this.props.configuration.rates.tokenRequestsPerMinute}` };
  }

  private tokenProps(lobs: readonly TokenIssuer[]): FunctionProps {
    const { data } = this.props;
    return {
      name: 'token',
      reservedConcurrency: 40,
      environment: {
        signingSecrets: data.signingSecretArns(lobs),
        memberPoolId: data.memberPool.pool.userPoolId,
        ...this.rateValues(),
      },
      statements: [
        items(data, lookUp, [
          'CLIENT#*',
          ...partitions(lobs, [...memberJourney, 'RATE#*', 'JWKS', 'MEMBER#*']),
        ]),
        items(data, write, partitions(lobs, [...memberJourney, 'RATE#*', 'ASSERTION#*'])),
        items(data, add, [...auditPartitions(lobs), ...partitions(lobs, ['SECRET#*'])]),
        tableKey(data),
        // A refresh looks whether the member's account is open.
        data.memberPool.statement(['AdminGetUser']),
        ...signingKeys(data, lobs),
      ],
    };
  }

  private machineTokenProps(): FunctionProps {
    const { data } = this.props;
    return {
      name: 'machine-token',
      reservedConcurrency: 20,
      environment: { signingSecrets: data.signingSecretArns(['M2M']), ...this.rateValues() },
      statements: [
        items(data, lookUp, ['CLIENT#*']),
        items(data, ['dynamodb:UpdateItem'], partitions(['M2M'], ['RATE#*'])),
        items(data, add, [...auditPartitions(['M2M']), ...partitions(['M2M'], ['ASSERTION#*', 'SECRET#*'])]),
        tableKey(data),
        ...signingKeys(data, ['M2M']),
      ],
    };
  }
}
