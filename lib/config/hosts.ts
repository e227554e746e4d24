import type { EnvironmentOrigins } from '../../lambdas/catalog/addresses.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { isInZone } from './common-fields.ts';
import type { Configuration } from './configuration.ts';

type Address = Pick<Configuration, 'domain' | 'scheme' | 'port'>;

/** Host names of an environment, without scheme and port. */
export function hosts({ domain }: Address) {
  return {
    auth: `auth.${domain}`,
    token: `token.${domain}`,
    api: (lob: LineOfBusiness) => `${lob.toLowerCase()}.api.${domain}`,
  };
}

/** Origins of the hosts (scheme, host and port), as clients use them and tokens name them. */
export function origins({ domain, scheme, port }: Address): EnvironmentOrigins {
  const origin = (host: string) => `${scheme}://${host}.${domain}${port === undefined ? '' : `:${port}`}`;
  return { auth: origin('auth'), token: origin('token'), apiTemplate: origin('{lob}.api') };
}

/**
 * Whether a host or domain is one of an environment's own, or below the wildcard of its certificate (`*.api.<domain>`). Such a name would
 * lead to the wrong environment, or be claimed by two stacks.
 */
export function isHostOf(name: string, { domain }: Address): boolean {
  return [`auth.${domain}`, `token.${domain}`, `api.${domain}`].some((host) => isInZone(host, name));
}
