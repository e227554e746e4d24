import type { Stack } from 'aws-cdk-lib';
import { origins } from '../config/hosts.ts';
import { environmentFunctionArns, portalOrigin } from '../config/portal-configuration.ts';
import type { FunctionEnvironment } from '../constructs/environment-function.ts';
import type { PortalFunctionsProps } from './portal-data.ts';

/** The environment variables of the portal's functions. */
export class PortalVariables {
  private readonly stack: Stack;
  private readonly props: PortalFunctionsProps;

  constructor(stack: Stack, props: PortalFunctionsProps) {
    this.stack = stack;
    this.props = props;
  }

  accounts(): FunctionEnvironment {
    const { configuration, data } = this.props;
    const { recaptcha } = configuration;
    return {
      ...this.common(),
      ...this.developerPool(),
      codeDigestKeyId: data.messages.codeDigestKey.keyArn,
      botCheckSecret: data.botCheckSecret.secretArn,
      botCheckCost: String(configuration.botCheckCost),
      signInVerification: configuration.signInVerification,
      ...(recaptcha !== undefined && {
        recaptchaSiteKey: recaptcha.siteKey,
        recaptchaSecret: recaptcha.secretArn,
      }),
    };
  }

  applications(): FunctionEnvironment {
    const { networkChecks, protectedNames } = this.props.configuration;
    return {
      ...this.outboxWorker(),
      networkChecks: onOrOff(networkChecks),
      protectedNames: JSON.stringify(protectedNames),
    };
  }

  /** Variables of the function for operators' pages. */
  console(): FunctionEnvironment {
    const { configuration, environments } = this.props;
    const { operatorAuthenticator } = configuration;
    const arns = (setting: Parameters<typeof environmentFunctionArns>[0]) =>
      this.stack.toJsonString(environmentFunctionArns(setting, configuration, environments));
    return {
      ...this.operations(),
      operatorAuthenticator,
      jobFunctions: arns('jobFunctions'),
      directoryFunctions: arns('directoryFunctions'),
      loadFunctions: arns('loadFunctions'),
    };
  }

  /** Variables for operators' requests, both from the pages and from the command line. */
  operations(): FunctionEnvironment {
    return { ...this.applications(), fourEyes: onOrOff(this.props.configuration.fourEyes) };
  }

  outboxWorker(): FunctionEnvironment {
    return { ...this.common(), ...this.developerPool(), ...this.environments() };
  }

  /** Variables of the public page "Find a doctor". */
  directory(): FunctionEnvironment {
    const { configuration, data } = this.props;
    const { environmentAddresses = '' } = this.environments();
    return {
      tableName: data.table.tableName,
      portalOrigin: portalOrigin(configuration),
      environmentAddresses,
      directoryKeysSecret: data.directoryKeys.secretArn,
      doctorEnvironment: configuration.doctorEnvironment,
    };
  }

  private common(): FunctionEnvironment {
    const { configuration, data } = this.props;
    return {
      tableName: data.table.tableName,
      portalOrigin: portalOrigin(configuration),
      messageSender: data.messages.sender,
    };
  }

  private developerPool(): FunctionEnvironment {
    const { pool, client } = this.props.data.developers;
    return { developerPoolId: pool.userPoolId, developerPoolClientId: client.userPoolClientId };
  }

  private environments(): FunctionEnvironment {
    const { configuration, environments } = this.props;
    const each = <Value>(value: (one: (typeof environments)[number]) => Value) =>
      Object.fromEntries(environments.map((one) => [one.environment, value(one)]));
    const addresses = {
      environments: each((one) => ({ ...origins(one), resourceId: one.resourceId })),
      tryItRedirectUri: `${portalOrigin(configuration)}/try/callback`,
    };
    const tiers = each(({ environment, tiers: known }) => {
      const name = configuration.tiers[environment];
      return { name, ...known[name] };
    });
    const json = (value: unknown) => this.stack.toJsonString(value);
    return {
      provisioningFunctions: json(
        environmentFunctionArns('provisioningFunctions', configuration, environments),
      ),
      environmentAddresses: json(addresses),
      portalTiers: json(tiers),
    };
  }
}

function onOrOff(value: boolean): 'on' | 'off' {
  return value ? 'on' : 'off';
}
