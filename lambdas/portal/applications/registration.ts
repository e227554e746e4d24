/** Maps an application's configuration to the client registration of an environment. */

import * as z from 'zod/mini';
import type { Environment } from '../../catalog/environments.ts';
import { issueMessage } from '../../catalog/fhir/issue-message.ts';
import {
  type ClientRegistration,
  type ClientState,
  clientRegistration,
} from '../../clients/provisioning/registration-contract.ts';
import { registrationIssues } from '../../clients/provisioning/registration-rules-contract.ts';
import { type ApplicationConfiguration, type FieldIssue, readConfiguration } from '../api/applications.ts';
import type { Application } from './application.ts';

/** The values of an environment that every registration in it has. */
export interface RegistrationTerms {
  /** The usage-plan tier of the environment's applications. */
  readonly tier: string;
  /** Redirect URI of the guided first call, which is registered in the sandbox besides the application's own. */
  readonly tryItRedirectUri: string;
}

/** The terms of an environment, from the portal's settings. */
export function termsOf(
  settings: {
    readonly tiers: Readonly<Record<Environment, { readonly name: string }>>;
    readonly addresses: { readonly tryItRedirectUri: string };
  },
  environment: Environment,
): RegistrationTerms {
  return { tier: settings.tiers[environment].name, tryItRedirectUri: settings.addresses.tryItRedirectUri };
}

/** Converts an application's configuration to a client registration (RFC 7591 names). */
export function registrationOf(
  it: ApplicationConfiguration,
  environment: Environment,
  attested: boolean,
  { tier, tryItRedirectUri }: RegistrationTerms,
): ClientRegistration {
  const signsIn = it.grantType === 'authorization_code';
  const own = signsIn ? (it.loginRedirectUris ?? []) : [];
  const tryIt = signsIn && environment === 'sandbox' && !own.includes(tryItRedirectUri);
  return {
    clientName: it.applicationName,
    ...(it.displayName === undefined ? {} : { displayName: it.displayName }),
    grantTypes: [it.grantType],
    tokenEndpointAuthMethod: it.tokenEndpointAuthMethod,
    ...(it.jwksUri === undefined ? {} : { jwksUri: it.jwksUri }),
    ...(it.jwks === undefined ? {} : { jwks: it.jwks }),
    linesOfBusiness: [...it.linesOfBusiness],
    products: [...it.products],
    redirectUris: tryIt ? [...own, tryItRedirectUri] : [...own],
    ...(signsIn && it.logoutRedirectUri !== undefined && { postLogoutRedirectUris: [it.logoutRedirectUri] }),
    ...(signsIn && it.loginInitiateUri !== undefined && { initiateLoginUri: it.loginInitiateUri }),
    applicationUri: it.applicationUri,
    privacyUri: it.privacyUri,
    termsOfServiceUri: it.tosUri,
    contactEmail: it.contactEmail,
    attested,
    // A back-end service makes no authorization request, so PKCE does not apply; `true` is the environment's default.
    pkceRequired: signsIn ? it.pkce : true,
    tier,
  };
}

/** The configuration field of each registration member. */
const fieldOfMember: Readonly<Record<string, string>> = {
  clientName: 'applicationName',
  grantTypes: 'grantType',
  redirectUris: 'loginRedirectUris',
  postLogoutRedirectUris: 'logoutRedirectUri',
  initiateLoginUri: 'loginInitiateUri',
  termsOfServiceUri: 'tosUri',
  pkceRequired: 'pkce',
};

/** Converts the environment's issues about a registration to issues about configuration fields. */
export function asFieldIssues(
  issues: readonly { readonly path: string; readonly message: string }[],
): readonly FieldIssue[] {
  return issues.map(({ path, message }) => {
    const [member = '', index] = path.replace(/^registration\./, '').split('.');
    const field = fieldOfMember[member] ?? member;
    const hasRows = index !== undefined && field === 'loginRedirectUris';
    return { path: hasRows ? [field, Number(index)] : [field], message };
  });
}

/**
 * Checks a configuration by the form's rules and by the environment's rules for registrations, so that the portal stores nothing that the
 * environment would refuse.
 */
export function checkedConfiguration(
  input: unknown,
  environment: Environment,
  terms: RegistrationTerms,
): ReturnType<typeof readConfiguration> {
  const read = readConfiguration(input, environment);
  if (read.kind === 'issues') return read;
  const registration = registrationOf(read.configuration, environment, false, terms);
  const parsed = z.safeParse(clientRegistration, registration);
  const issues = parsed.success
    ? asFieldIssues(registrationIssues(registration, environment, [terms.tier]))
    : asFieldIssues(
        parsed.error.issues.map((it) => ({ path: it.path.join('.'), message: issueMessage(it) })),
      );
  return issues.length === 0 ? read : { kind: 'issues', issues };
}

/** Refuses to turn a public client into a confidential one or the reverse, because environments do not allow it. */
export function kindIssues(
  before: ApplicationConfiguration,
  after: ApplicationConfiguration,
): readonly FieldIssue[] {
  return (before.tokenEndpointAuthMethod === 'none') === (after.tokenEndpointAuthMethod === 'none')
    ? []
    : [
        {
          path: ['tokenEndpointAuthMethod'],
          message:
            'keep the method if it is none, and do not change another method to none. Register a new application instead',
        },
      ];
}

export interface DesiredClient {
  readonly registration: ClientRegistration;
  readonly state: ClientState;
}

/**
 * Makes the client that an environment should have for an application; undefined if there is no configuration that the environment accepts.
 */
export function desiredClient(
  application: Application,
  environment: Environment,
  terms: RegistrationTerms,
): DesiredClient | undefined {
  const configuration =
    environment === 'sandbox'
      ? application.sandbox
      : (application.approved?.configuration ?? application.production);
  if (configuration === undefined) return undefined;
  // Values copied from the sandbox may be invalid in production: the client is registered once they are replaced.
  const isRefused =
    environment === 'production' && checkedConfiguration(configuration, environment, terms).kind === 'issues';
  if (isRefused) return undefined;
  const attested = application.attestation !== undefined;
  return {
    registration: registrationOf(configuration, environment, attested, terms),
    state: environment === 'sandbox' ? sandboxState(application) : productionState(application),
  };
}

/** The client's state in the sandbox, which has synthetic members only: an application suspended in production continues there. */
function sandboxState({ state }: Application): ClientState {
  return state === 'withdrawn' ? 'revoked' : 'active';
}

function productionState({ state }: Application): ClientState {
  if (state === 'approved') return 'active';
  return state === 'revoked' || state === 'withdrawn' ? 'revoked' : 'suspended';
}
