import type { Configuration } from './config/configuration.ts';
import { origins } from './config/hosts.ts';
import type { DataStack } from './data-stack.ts';
import type { FunctionEnvironment } from './environment-function.ts';

/** What every function behind a host knows: which environment it is, its table, its addresses. */
export function hostValues(configuration: Configuration, data: DataStack): FunctionEnvironment {
  const { auth, token, apiTemplate } = origins(configuration);
  return {
    environment: configuration.environment,
    tableName: data.table.tableName,
    authOrigin: auth,
    tokenOrigin: token,
    apiOriginTemplate: apiTemplate,
    resourceId: configuration.resourceId,
  };
}

/** The lifetimes of the configuration, as whole seconds (and days, for grants). */
export function lifetimeValues({ lifetimes }: Configuration): FunctionEnvironment {
  return {
    memberAccessTokenSeconds: `${lifetimes.memberAccessTokenSeconds}`,
    clientAccessTokenSeconds: `${lifetimes.clientAccessTokenSeconds}`,
    authorizationCodeSeconds: `${lifetimes.authorizationCodeSeconds}`,
    interactionSeconds: `${lifetimes.interactionSeconds}`,
    grantDays: `${lifetimes.grantDays}`,
  };
}
