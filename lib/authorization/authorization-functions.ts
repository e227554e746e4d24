/** The functions of the authorization server and of the machine-to-machine token host. */

import { Stack } from 'aws-cdk-lib';
import type { IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { identityProvidersOf, signsForProviders } from '../config/federation.ts';
import { CodeMessages } from '../constructs/code-messages.ts';
import type { EnvironmentData, EnvironmentStackProps } from '../constructs/environment-data.ts';
import { EnvironmentFunction, type FunctionEnvironment } from '../constructs/environment-function.ts';
import {
  addressValues,
  lifetimeValues,
  providerValues,
  tableValues,
} from '../constructs/environment-variables.ts';
import { GradualRelease } from '../constructs/gradual-release.ts';
import type { RoleName } from '../rights/rights.ts';
import { type Reach, reachableParts, withResources } from '../rights/statements.ts';

export interface AuthorizationFunctionsProps extends EnvironmentStackProps {
  readonly data: EnvironmentData;
  /** Origin of the developer portal. */
  readonly portalOrigin: string;
}

interface FunctionProps {
  readonly name: RoleName;
  readonly reservedConcurrency: number;
  readonly timeoutSeconds?: number;
  readonly environment?: FunctionEnvironment;
  /** Resources beside those that the data stack provides. */
  readonly resources?: Reach['resources'];
}

/** The functions of the authorization server and of the machine-to-machine token host. */
export class AuthorizationFunctions extends Construct {
  readonly authorize: LambdaFunction;
  /** Serves the pages on which a member sees and ends grants. */
  readonly connectedApps: LambdaFunction;
  readonly token: IFunction;
  readonly discovery: LambdaFunction;
  readonly userinfo: LambdaFunction;
  readonly machineToken: IFunction;
  /** Authorizer that checks the subscription key at the token host; undefined if no key is required. */
  readonly machineAuthorizer: IFunction | undefined;
  /** Serves sign-in at the plan's identity providers; undefined if the environment has none. */
  readonly federation: LambdaFunction | undefined;
  /** Logs of the functions that know which application an authorization request or token request is of. */
  readonly callLogs: readonly LogGroup[];
  private readonly props: AuthorizationFunctionsProps;

  constructor(scope: Construct, id: string, props: AuthorizationFunctionsProps) {
    super(scope, id);
    this.props = props;
    const { data, configuration } = props;
    const messages = new CodeMessages(this, 'Messages', configuration);
    // No host routes to this function: `authorize` invokes it.
    const activation = this.create('Activation', {
      name: 'activation',
      reservedConcurrency: 10,
      environment: this.messageValues(messages),
      resources: messages.resources(),
    });
    messages.acknowledge(activation.policy);
    data.alarms.onLog('MessagesNotSent', activation.log, { id: 'ActivationsNotReached' });
    data.alarms.events(activation.function);
    const authorize = this.createAuthorize(messages, activation.function.functionArn);
    messages.acknowledge(authorize.policy);
    data.alarms.onLog('MessagesNotSent', authorize.log, { id: 'MembersNotReached' });
    this.authorize = authorize.function;
    this.connectedApps = this.create('ConnectedApps', {
      name: 'connected-apps',
      reservedConcurrency: 6,
      environment: { memberPoolId: data.memberPool.pool.userPoolId, ...this.providerChoiceValues() },
    }).function;
    const token = this.create('Token', {
      name: 'token',
      reservedConcurrency: 38,
      environment: {
        signingSecrets: data.signingSecretArns(configuration.linesOfBusiness),
        ...this.rateValues(),
      },
    });
    this.federation = this.hasProviders() ? this.createFederation() : undefined;
    this.discovery = this.create('Discovery', { name: 'discovery', reservedConcurrency: 13 }).function;
    this.userinfo = this.create('Userinfo', {
      name: 'userinfo',
      reservedConcurrency: 20,
      environment: this.rateValues(),
    }).function;
    const machineToken = this.create('MachineToken', {
      name: 'machine-token',
      reservedConcurrency: 20,
      environment: {
        signingSecrets: data.signingSecretArns(['M2M']),
        subscriptionKey: configuration.subscriptionKey,
        ...this.rateValues(),
      },
    });
    this.callLogs = [authorize.log, token.log, machineToken.log];
    const machineAuthorizer =
      configuration.subscriptionKey === 'required'
        ? this.create('MachineAuthorizer', { name: 'machine-authorizer', reservedConcurrency: 20 })
        : undefined;
    const release = new GradualRelease(this, 'Release', {
      functions: [token, machineToken, ...(machineAuthorizer === undefined ? [] : [machineAuthorizer])],
      alarms: data.alarms,
      what: 'tokens',
    });
    this.token = release.live(token.function);
    this.machineToken = release.live(machineToken.function);
    this.machineAuthorizer = machineAuthorizer && release.live(machineAuthorizer.function);
  }

  private createAuthorize(messages: CodeMessages, activation: string): EnvironmentFunction {
    const { data, configuration, portalOrigin } = this.props;
    return this.create('Authorize', {
      name: 'authorize',
      reservedConcurrency: 34,
      environment: {
        memberPoolClientId: data.memberPool.client.userPoolClientId,
        memberVerification: configuration.memberVerification,
        ...this.providerChoiceValues(),
        ...this.messageValues(messages),
        activationFunction: activation,
        portalOrigin,
      },
      resources: { ...messages.resources(), functions: reachableParts({ activation }) },
    });
  }

  private createFederation(): LambdaFunction {
    const { data, configuration } = this.props;
    return this.create('Federation', {
      name: 'federation',
      reservedConcurrency: 20,
      // Time for three calls in a row to a slow identity provider: metadata, tokens and keys.
      timeoutSeconds: 20,
      environment: {
        identityProviders: providerValues(configuration, (provider) => provider),
        identityProviderSecrets: Stack.of(this).toJsonString(data.providerSecrets.arns()),
        signingSecrets: signsForProviders(configuration) ? data.signingSecretArns(['FEDERATION']) : '{}',
      },
    }).function;
  }

  private create(id: string, { resources = {}, ...props }: FunctionProps): EnvironmentFunction {
    const { configuration, data, bundles } = this.props;
    return new EnvironmentFunction(this, id, {
      ...props,
      bundles,
      logKey: data.logKey,
      reach: withResources(data.reach, resources),
      environment: {
        ...addressValues(configuration),
        ...tableValues(data),
        ...lifetimeValues(configuration),
        ...props.environment,
      },
    });
  }

  /** Environment variables of a function that reads members' contact data and sends verification codes. */
  private messageValues({ sender, codeDigestKey }: CodeMessages): FunctionEnvironment {
    const { data, configuration } = this.props;
    return {
      memberPoolId: data.memberPool.pool.userPoolId,
      messageSender: sender,
      codeDigestKeyId: codeDigestKey.keyArn,
      contactKeyId: data.contactKey.keyArn,
      textMessageCountries: JSON.stringify(configuration.textMessageCountries),
    };
  }

  /** Environment variable with each LOB's identity provider, as the sign-in page shows it; empty if there is none. */
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

  private hasProviders(): boolean {
    return Object.keys(identityProvidersOf(this.props.configuration)).length > 0;
  }

  private rateValues(): FunctionEnvironment {
    return { tokenRequestsPerMinute: `${this.props.configuration.rates.tokenRequestsPerMinute}` };
  }
}
