import type { PublishedEnvironment, PublishedService } from '../../lambdas/catalog/published-service.ts';
import type { Configuration } from './configuration.ts';
import { identityProvidersOf } from './federation.ts';
import { origins } from './hosts.ts';
import { planIdentifiersOf } from './plan-identifiers.ts';
import type { PortalConfiguration } from './portal-configuration.ts';

/** The addresses and settings of the portal and the deployed environments that the portal's public pages show. */
export function publishedService(
  { scheme, hostname, port, supportEmail, tiers: first }: PortalConfiguration,
  configurations: readonly Configuration[],
): PublishedService {
  const environment = (name: Configuration['environment']): PublishedEnvironment => {
    const found = configurations.find((each) => each.environment === name);
    if (found === undefined) throw new Error(`no configuration for ${name}`);
    const { resourceId, linesOfBusiness, subscriptionKey, lifetimes, rates, tiers } = found;
    const ofCalls = { ...lifetimes, ...rates, tiers, firstTier: first[name] };
    const providers = Object.entries(identityProvidersOf(found));
    const identityProviders = Object.fromEntries(providers.map(([lob, { label }]) => [lob, label.en]));
    return {
      origins: origins(found),
      resourceId,
      linesOfBusiness,
      planIdentifiers: planIdentifiersOf(found),
      subscriptionKey,
      identityProviders,
      ...ofCalls,
    };
  };
  return {
    portal: `${scheme}://${hostname}${port === undefined ? '' : `:${port}`}`,
    supportEmail,
    environments: { sandbox: environment('sandbox'), production: environment('production') },
  };
}
