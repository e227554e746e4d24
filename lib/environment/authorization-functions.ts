/** The functions of the authorization server and of the machine-to-machine token host, with their rights. */

import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { TokenIssuer } from '../../lambdas/catalog/oauth/token-issuer.ts';
import { identityProvidersOf, signsForProviders } from '../config/federation.ts';
import { CodeMessages } from './code-messages.ts';
import {
  accountSessions,
  addActions,
  auditPatterns,
  disabledAccounts,
  itemStatement,
  lookUpActions,
  partitionPatterns,
  patientAuditPatterns,
  readActions,
  secretStatements,
  signingKeyStatements,
  tableKeyStatement,
  writeActions,
} from './data-access.ts';
import type { EnvironmentData, EnvironmentStackProps } from './environment-data.ts';
import { EnvironmentFunction, type FunctionEnvironment } from './environment-function.ts';
import { addressValues, lifetimeValues, providerValues, tableValues } from './environment-variables.ts';

/** Reading of representations, and the condition that one stands. */
const representationActions = ['dynamodb:Query', 'dynamodb:ConditionCheckItem'] as const;
/** Partitions of a member's sign-in, consent and tokens (`lambdas/storage/table-keys.ts`). */
const memberJourney = ['INTERACTION#*', 'CODE#*', 'REFRESH#*', 'GRANT#*'];

/** Partitions of the rates counted per member over all LOBs. */
const memberRates = 'MEMBERS#RATE#*';

/** Partitions of the links of one account in all LOBs. */
const accountLinks = 'MEMBERS#ACCOUNT#*';

/** Partitions of a member's session at the connected apps, and of known browsers. */
const memberVisit = ['SESSION#*', 'BROWSER#*'];

export interface AuthorizationFunctionsProps extends EnvironmentStackProps {
  readonly data: EnvironmentData;
}

/** Variables of a function that reads where a member can be reached. */
function contactValues({ data, configuration }: AuthorizationFunctionsProps): FunctionEnvironment {
  return {
    contactKeyId: data.contactKey.keyArn,
    textMessageCountries: JSON.stringify(configuration.textMessageCountries),
  };
}

/** Opens contact data. */
function openContacts({ contactKey }: EnvironmentData): PolicyStatement {
  return new PolicyStatement({ actions: ['kms:Decrypt'], resources: [contactKey.keyArn] });
}

interface FunctionProps {
  readonly name: string;
  readonly reservedConcurrency: number;
  readonly timeoutSeconds?: number;
  readonly environment: FunctionEnvironment;
  readonly statements: readonly PolicyStatement[];
}

/** The functions of the authorization server and of the machine-to-machine token host. */
export class AuthorizationFunctions extends Construct {
  readonly authorize: LambdaFunction;
  /** The pages where a member sees and ends what they share. */
  readonly connectedApps: LambdaFunction;
  readonly token: LambdaFunction;
  readonly discovery: LambdaFunction;
  readonly userinfo: LambdaFunction;
  readonly machineToken: LambdaFunction;
  /** Checks the subscription key at the token host; undefined where none is required. */
  readonly machineAuthorizer: LambdaFunction | undefined;
  /** Sign-in at the plan's identity providers; undefined where the environment has none. */
  readonly federation: LambdaFunction | undefined;
  private readonly props: AuthorizationFunctionsProps;

  constructor(scope: Construct, id: string, props: AuthorizationFunctionsProps) {
    super(scope, id);
    this.props = props;
    const { data, configuration } = props;
    const lobs = configuration.linesOfBusiness;
    const messages = new CodeMessages(this, 'Messages', configuration);
    const activation = this.create('Activation', this.activationProps(lobs, messages));
    messages.acknowledge(activation.policy);
    data.alarms.onLog('MessagesNotSent', activation.log, { id: 'ActivationsNotReached' });
    data.alarms.events(activation.function);
    const authorize = this.create(
      'Authorize',
      this.authorizeProps(lobs, messages, activation.function.functionArn),
    );
    messages.acknowledge(authorize.policy);
    data.alarms.onLog('MessagesNotSent', authorize.log, { id: 'MembersNotReached' });
    this.authorize = authorize.function;
    this.connectedApps = this.create('ConnectedApps', this.connectedAppsProps(lobs)).function;
    this.token = this.create('Token', this.tokenProps(lobs)).function;
    this.federation = this.hasProviders()
      ? this.create('Federation', this.federationProps(lobs)).function
      : undefined;
    this.discovery = this.create('Discovery', {
      name: 'discovery',
      reservedConcurrency: 20,
      environment: {},
      statements: [
        itemStatement(
          data,
          lookUpActions,
          partitionPatterns(
            [...lobs, 'M2M', ...(signsForProviders(configuration) ? (['FEDERATION'] as const) : [])],
            ['JWKS'],
          ),
        ),
        tableKeyStatement(data),
      ],
    }).function;
    this.userinfo = this.create('Userinfo', {
      name: 'userinfo',
      reservedConcurrency: 20,
      environment: this.rateValues(),
      statements: [
        itemStatement(data, lookUpActions, ['CLIENT#*', ...partitionPatterns(lobs, ['GRANT#*', 'JWKS'])]),
        itemStatement(data, ['dynamodb:UpdateItem'], partitionPatterns(lobs, ['RATE#*'])),
        itemStatement(data, addActions, auditPatterns(lobs)),
        tableKeyStatement(data),
      ],
    }).function;
    this.machineToken = this.create('MachineToken', this.machineTokenProps()).function;
    this.machineAuthorizer =
      configuration.subscriptionKey === 'required' ? this.createMachineAuthorizer() : undefined;
  }

  private createMachineAuthorizer(): LambdaFunction {
    const { data } = this.props;
    return this.create('MachineAuthorizer', {
      name: 'machine-authorizer',
      reservedConcurrency: 20,
      environment: {},
      statements: [
        itemStatement(data, lookUpActions, partitionPatterns(['M2M'], ['KEY#*'])),
        tableKeyStatement(data),
      ],
    }).function;
  }

  /** The only function that talks to identity providers. It may try no password and read no record. */
  private federationProps(lobs: readonly TokenIssuer[]): FunctionProps {
    const { data, configuration } = this.props;
    const secrets = data.providerSecrets.arns();
    return {
      name: 'federation',
      reservedConcurrency: 20,
      // Metadata, tokens and keys of a slow provider, one after the other.
      timeoutSeconds: 20,
      environment: {
        identityProviders: providerValues(configuration, (provider) => provider),
        identityProviderSecrets: Stack.of(this).toJsonString(secrets),
        signingSecrets: signsForProviders(configuration) ? data.signingSecretArns(['FEDERATION']) : '{}',
      },
      statements: [
        itemStatement(data, lookUpActions, [
          'CLIENT#*',
          ...partitionPatterns(lobs, ['INTERACTION#*', 'SESSION#*', 'MEMBER*']),
        ]),
        // Whose data an account may share.
        itemStatement(data, ['dynamodb:Query'], partitionPatterns(lobs, ['REPRESENTATIVE#*'])),
        itemStatement(
          data,
          writeActions,
          partitionPatterns(lobs, ['INTERACTION#*', 'SESSION#*', 'MEMBER#*']),
        ),
        itemStatement(data, addActions, auditPatterns(lobs)),
        tableKeyStatement(data),
        ...(signsForProviders(configuration) ? signingKeyStatements(data, ['FEDERATION']) : []),
        ...(Object.keys(secrets).length > 0
          ? secretStatements(data, [...new Set(Object.values(secrets))])
          : []),
      ],
    };
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
  private authorizeProps(
    lobs: readonly TokenIssuer[],
    messages: CodeMessages,
    activationFunction: string,
  ): FunctionProps {
    const { data, configuration } = this.props;
    return {
      name: 'authorize',
      reservedConcurrency: 34,
      environment: {
        memberPoolId: data.memberPool.pool.userPoolId,
        memberPoolClientId: data.memberPool.client.userPoolClientId,
        memberVerification: configuration.memberVerification,
        ...this.providerChoiceValues(),
        messageSender: messages.sender,
        codeDigestKeyId: messages.codeDigestKey.keyArn,
        ...contactValues(this.props),
        activationFunction,
      },
      statements: [
        itemStatement(data, readActions, [
          'CLIENT#*',
          memberRates,
          ...partitionPatterns(lobs, [...memberJourney, ...memberVisit, 'MEMBER#*', 'MEMBER-ID#*']),
        ]),
        // Whose data an account may share, and that it still may where data is shared.
        itemStatement(data, lookUpActions, [accountSessions, ...partitionPatterns(lobs, ['MEMBER-ID#*'])]),
        itemStatement(data, representationActions, partitionPatterns(lobs, ['REPRESENTATIVE#*'])),
        // Verifies an `id_token_hint`.
        itemStatement(data, lookUpActions, partitionPatterns(lobs, ['JWKS'])),
        itemStatement(data, writeActions, [
          memberRates,
          ...partitionPatterns(lobs, [...memberJourney, ...memberVisit]),
        ]),
        itemStatement(data, addActions, auditPatterns(lobs)),
        tableKeyStatement(data),
        data.memberPool.statement(['AdminInitiateAuth', 'AdminGetUser', 'DescribeUserPoolClient']),
        ...messages.statements(),
        openContacts(data),
        new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [activationFunction] }),
      ],
    };
  }

  /** The connected apps: the only function behind a host that reads the audit of members' data. It may try no password, and send no message. */
  private connectedAppsProps(lobs: readonly TokenIssuer[]): FunctionProps {
    const { data } = this.props;
    return {
      name: 'connected-apps',
      reservedConcurrency: 6,
      environment: { memberPoolId: data.memberPool.pool.userPoolId, ...this.providerChoiceValues() },
      statements: [
        itemStatement(data, lookUpActions, [
          'CLIENT#*',
          accountSessions,
          ...partitionPatterns(lobs, ['SESSION#*', 'MEMBER#*', 'MEMBER-ID#*']),
        ]),
        // The members an account represents, their grants, and the last reads of each grant.
        itemStatement(
          data,
          ['dynamodb:Query'],
          [...partitionPatterns(lobs, ['REPRESENTATIVE#*', 'GRANT#*']), ...patientAuditPatterns(lobs)],
        ),
        itemStatement(data, ['dynamodb:PutItem'], partitionPatterns(lobs, ['INTERACTION#*'])),
        itemStatement(data, ['dynamodb:UpdateItem'], partitionPatterns(lobs, ['SESSION#*', 'GRANT#*'])),
        itemStatement(data, ['dynamodb:DeleteItem'], partitionPatterns(lobs, ['SESSION#*'])),
        itemStatement(data, addActions, patientAuditPatterns(lobs)),
        tableKeyStatement(data),
        data.memberPool.statement(['AdminGetUser']),
      ],
    };
  }

  /** The sign-in at each LOB's identity provider, where there is one. */
  private providerChoiceValues(): FunctionEnvironment {
    const { configuration } = this.props;
    if (!this.hasProviders()) return {};
    return {
      providerChoices: providerValues(configuration, ({ label, localAccounts }) => ({
        label,
        localAccounts,
      })),
    };
  }

  /** Activation: the only function that may set a password of a member who proved a contact. No host leads to it. */
  private activationProps(lobs: readonly TokenIssuer[], messages: CodeMessages): FunctionProps {
    const { data } = this.props;
    return {
      name: 'activation',
      reservedConcurrency: 10,
      environment: {
        memberPoolId: data.memberPool.pool.userPoolId,
        messageSender: messages.sender,
        codeDigestKeyId: messages.codeDigestKey.keyArn,
        ...contactValues(this.props),
      },
      statements: [
        itemStatement(data, lookUpActions, [
          accountLinks,
          accountSessions,
          ...partitionPatterns(lobs, ['INTERACTION#*', 'MEMBER#*', 'MEMBER-ID#*']),
        ]),
        // Contacts of representatives who are no members.
        itemStatement(data, ['dynamodb:Query'], partitionPatterns(lobs, ['REPRESENTATIVE#*'])),
        itemStatement(
          data,
          ['dynamodb:UpdateItem'],
          [memberRates, accountLinks, accountSessions, ...partitionPatterns(lobs, ['INTERACTION#*'])],
        ),
        itemStatement(data, addActions, [...auditPatterns(lobs), ...partitionPatterns(lobs, ['MEMBER#*'])]),
        tableKeyStatement(data),
        data.memberPool.statement(['AdminCreateUser', 'AdminGetUser', 'AdminSetUserPassword']),
        ...messages.statements(),
        openContacts(data),
      ],
    };
  }

  private hasProviders(): boolean {
    return Object.keys(identityProvidersOf(this.props.configuration)).length > 0;
  }

  /** Partitions of accounts' links, and with providers of member identifiers: these tell whether a federated account's member is still one. */
  private accountPartitions(): string {
    return this.hasProviders() ? 'MEMBER*' : 'MEMBER#*';
  }

  private rateValues(): FunctionEnvironment {
    return { tokenRequestsPerMinute: `${this.props.configuration.rates.tokenRequestsPerMinute}` };
  }

  private tokenProps(lobs: readonly TokenIssuer[]): FunctionProps {
    const { data } = this.props;
    return {
      name: 'token',
      reservedConcurrency: 38,
      environment: {
        signingSecrets: data.signingSecretArns(lobs),
        ...this.rateValues(),
      },
      statements: [
        itemStatement(data, lookUpActions, [
          'CLIENT#*',
          ...partitionPatterns(lobs, [...memberJourney, 'RATE#*', 'JWKS', this.accountPartitions()]),
        ]),
        itemStatement(
          data,
          writeActions,
          partitionPatterns(lobs, [...memberJourney, 'RATE#*', 'ASSERTION#*']),
        ),
        // A refresh checks that the account is not disabled, and whose data it may share.
        itemStatement(data, lookUpActions, [disabledAccounts, ...partitionPatterns(lobs, ['MEMBER-ID#*'])]),
        itemStatement(data, representationActions, partitionPatterns(lobs, ['REPRESENTATIVE#*'])),
        itemStatement(data, addActions, [...auditPatterns(lobs), ...partitionPatterns(lobs, ['SECRET#*'])]),
        tableKeyStatement(data),
        ...signingKeyStatements(data, lobs),
      ],
    };
  }

  private machineTokenProps(): FunctionProps {
    const { data, configuration } = this.props;
    return {
      name: 'machine-token',
      reservedConcurrency: 20,
      environment: {
        signingSecrets: data.signingSecretArns(['M2M']),
        subscriptionKey: configuration.subscriptionKey,
        ...this.rateValues(),
      },
      statements: [
        itemStatement(data, lookUpActions, ['CLIENT#*', ...partitionPatterns(['M2M'], ['JWKS'])]),
        itemStatement(data, ['dynamodb:UpdateItem'], partitionPatterns(['M2M'], ['RATE#*'])),
        itemStatement(data, addActions, [
          ...auditPatterns(['M2M']),
          ...partitionPatterns(['M2M'], ['ASSERTION#*', 'SECRET#*']),
        ]),
        tableKeyStatement(data),
        ...signingKeyStatements(data, ['M2M']),
      ],
    };
  }
}
