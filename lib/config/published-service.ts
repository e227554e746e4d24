import type { PublishedEnvironment, PublishedService } from '../../lambdas/catalog/published-service.ts';
import type { Configuration } from './configuration.ts';
import { origins } from './hosts.ts';

/**
 * What the portal's public pages say of the deployed environments.
 *
 * @param portal the portal's origin.
 */
export function publishedService(portal: string, configurations: readonly Configuration[]): PublishedService {
  const environment = (name: Configuration['environment']): PublishedEnvironment => {
    const found = configurations.find((each) => each.environment === name);
    if (found === undefined) throw new Error(`no configuration for ${name}`);
    const { resourceId, linesOfBusiness, lifetimes, rates, tiers } = found;
    return { origins: origins(found), resourceId, linesOfBusiness, ...lifetimes, ...rates, tiers };
  };
  return {
    portal,
    environments: { sandbox: environment('sandbox'), production: environment('production') },
  };
}
