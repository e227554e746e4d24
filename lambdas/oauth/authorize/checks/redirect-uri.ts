import { parameterOf } from '../../parameters.ts';
import { matchesRegistered } from '../redirect-uri.ts';
import type { PageCheck } from './asked.ts';

/** OpenID Connect Core section 3.1.2.1: REQUIRED, even where only one is registered. */
export const redirectUriPresent: PageCheck = ({ parameters }) =>
  parameterOf(parameters, 'redirect_uri') === undefined ? 'redirect_uri_missing' : undefined;

export const redirectUriRegistered: PageCheck = ({ parameters, client }) => {
  const redirectUri = parameterOf(parameters, 'redirect_uri') ?? '';
  return client !== undefined && matchesRegistered(client, redirectUri)
    ? undefined
    : 'redirect_uri_unregistered';
};
