import type { IdentityProvider } from '../../lambdas/catalog/oauth/identity-providers.ts';
import type { Configuration } from '../config/configuration.ts';
import { identityProvidersOf } from '../config/federation.ts';
import { origins } from '../config/hosts.ts';
import type { EnvironmentData } from './environment-data.ts';
import type { FunctionEnvironment } from './environment-function.ts';

/** Variables with the environment that a function serves, and the addresses of its hosts. */
export function addressValues(configuration: Configuration): FunctionEnvironment {
  const { auth, token, apiTemplate } = origins(configuration);
  return {
    environment: configuration.environment,
    authOrigin: auth,
    tokenOrigin: token,
    apiOriginTemplate: apiTemplate,
    resourceId: configuration.resourceId,
  };
}

export function tableValues(data: Pick<EnvironmentData, 'table'>): FunctionEnvironment {
  return { tableName: data.table.tableName };
}

/** Variables with the configured lifetimes, in whole seconds (grants in days). */
export function lifetimeValues({ lifetimes }: Configuration): FunctionEnvironment {
  return {
    memberAccessTokenSeconds: `${lifetimes.memberAccessTokenSeconds}`,
    clientAccessTokenSeconds: `${lifetimes.clientAccessTokenSeconds}`,
    authorizationCodeSeconds: `${lifetimes.authorizationCodeSeconds}`,
    interactionSeconds: `${lifetimes.interactionSeconds}`,
    grantDays: `${lifetimes.grantDays}`,
    refreshIdleDays: `${lifetimes.refreshIdleDays}`,
  };
}

/**
 * The configured identity providers, each once with its LOBs.
 *
 * @param shown selects the data of a provider that the function gets.
 */
export function providerValues<Shown>(
  configuration: Configuration,
  shown: (provider: IdentityProvider) => Shown,
): string {
  const providers = Object.entries(identityProvidersOf(configuration));
  const groups = Map.groupBy(providers, ([, provider]) => JSON.stringify(provider));
  return JSON.stringify(
    [...groups.values()].flatMap((group) => {
      const [[, provider] = []] = group;
      return provider === undefined
        ? []
        : [{ linesOfBusiness: group.map(([lob]) => lob), provider: shown(provider) }];
    }),
  );
}
