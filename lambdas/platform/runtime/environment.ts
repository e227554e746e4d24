/** Environment variables of the functions: the shape of each, and the reader that checks them at cold start. */

import { environmentVariables } from '../../catalog/environment-variables.ts';
import { type Environment, environments } from '../../catalog/environments.ts';
import { directoryAccesses } from '../../catalog/fhir/directory-access.ts';
import type { Language } from '../../catalog/languages.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../catalog/lines-of-business.ts';
import {
  providerAuthenticationMethods,
  providerIdTokenAlgorithms,
} from '../../catalog/oauth/identity-providers.ts';
import { memberVerifications } from '../../catalog/oauth/member-verifications.ts';
import { subscriptionKeyRequirements } from '../../catalog/subscription-key-requirements.ts';
import * as s from '../kernel/shapes.ts';

const text = s.where(s.text, ({ length }) => length > 0);
const origin = s.matching(/^https?:\/\/[a-z0-9.{}-]+(:\d+)?$/);
const wholeNumber = s.mapped(s.matching(/^[1-9]\d*$/), Number);
const map = s.jsonText(s.mapOf(text));
const list = s.jsonText(s.arrayOf(text));
const positive = s.where(s.integer, (value) => value > 0);
const percent = s.where(s.finite, (value) => value >= 0 && value <= 100);
const onOrOff = s.oneOf(['on', 'off']);

/** An object with a value for each environment. */
function forEachEnvironment<T>(shape: s.Shape<T>) {
  return s.exactly({ sandbox: shape, production: shape } satisfies Record<Environment, s.Shape<T>>);
}

const providerChoice = {
  label: s.exactly({ en: text, es: text } satisfies Record<Language, s.Shape<string>>),
  localAccounts: s.truth,
};

/** Parses a list of values with the LOBs of each, `[{ linesOfBusiness, provider }]`, into an object LOB → provider. */
function byLineOfBusiness<T>(provider: s.Shape<T>) {
  const entry = s.exactly({ linesOfBusiness: s.arrayOf(s.oneOf(lineOfBusinessCodes)), provider: s.unknown });
  return s.mapped(s.jsonText(s.arrayOf(entry)), (entries) => {
    const providers: Partial<Record<LineOfBusiness, T>> = {};
    for (const { linesOfBusiness, provider: one } of entries) {
      const read = provider(one);
      if (read === s.wrong) return s.wrong;
      for (const lob of linesOfBusiness) providers[lob] = read;
    }
    return providers;
  });
}

const variables = {
  environment: s.oneOf(environments),
  tableName: text,
  lineOfBusiness: s.oneOf(lineOfBusinessCodes),
  subscriptionKey: s.oneOf(subscriptionKeyRequirements),
  authOrigin: origin,
  tokenOrigin: origin,
  apiOriginTemplate: origin,
  resourceId: text,
  signingSecrets: map,
  planIdentifiers: s.jsonText(
    s.exactly(
      Object.fromEntries(
        lineOfBusinessCodes.map((lob) => [lob, s.maybe(s.arrayOf(s.exactly({ system: text, value: text })))]),
      ) as Record<LineOfBusiness, s.Shape<readonly { system: string; value: string }[] | undefined>>,
    ),
  ),
  memberPoolId: text,
  memberPoolClientId: text,
  credentialKeyId: text,
  payerCredentialKeyId: text,
  auditSigningKey: text,
  auditSigningKeys: list,
  auditArchiveBucket: text,
  auditHeadLog: text,
  auditHeadStream: text,
  ingestBucket: text,
  loadStateMachine: text,
  exchangeStateMachine: text,
  loadRangeBytes: wholeNumber,
  loadRangesAtOnce: wholeNumber,
  toleratedFailurePercent: s.jsonText(
    s.exactly(
      Object.fromEntries(lineOfBusinessCodes.map((lob) => [lob, s.maybe(percent)])) as Record<
        LineOfBusiness,
        s.Shape<number | undefined>
      >,
    ),
  ),
  jobBucket: text,
  jobStateMachine: text,
  jobStateMachineTemplate: text,
  publicationBucket: text,
  toleratedLossPercent: s.mapped(text, Number),
  directoryBuildFunction: text,
  directoryAccess: s.oneOf(directoryAccesses),
  memberVerification: s.oneOf(memberVerifications),
  identityProviders: byLineOfBusiness(
    s.exactly({
      issuer: text,
      clientId: text,
      clientAuthentication: s.oneOf(providerAuthenticationMethods),
      idTokenAlgorithm: s.oneOf(providerIdTokenAlgorithms),
      memberIdClaim: text,
      scopes: s.arrayOf(text),
      acrValues: s.arrayOf(text),
      ...providerChoice,
    }),
  ),
  identityProviderSecrets: map,
  providerChoices: s.maybe(byLineOfBusiness(s.exactly(providerChoice))),
  codeDigestKeyId: text,
  contactKeyId: text,
  textMessageCountries: list,
  activationFunction: text,
  messageSender: text,
  callLogs: s.jsonText(
    s.arrayOf(
      s.exactly({
        logGroup: text,
        /** The LOB of the host that writes to it; absent for a log with calls of several. */
        lob: s.maybe(s.oneOf(lineOfBusinessCodes)),
      }),
    ),
  ),
  usagePlans: map,
  memberAccessTokenSeconds: wholeNumber,
  clientAccessTokenSeconds: wholeNumber,
  authorizationCodeSeconds: wholeNumber,
  interactionSeconds: wholeNumber,
  grantDays: wholeNumber,
  refreshIdleDays: wholeNumber,
  tokenRequestsPerMinute: wholeNumber,
  portalOrigin: origin,
  developerPoolId: text,
  developerPoolClientId: text,
  botCheckSecret: text,
  botCheckCost: wholeNumber,
  recaptchaSiteKey: s.maybe(text),
  recaptchaSecret: s.maybe(text),
  signInVerification: s.oneOf(memberVerifications),
  provisioningFunctions: s.jsonText(forEachEnvironment(text)),
  jobFunctions: s.jsonText(forEachEnvironment(text)),
  directoryFunctions: s.jsonText(forEachEnvironment(text)),
  loadFunctions: s.jsonText(forEachEnvironment(text)),
  environmentAddresses: s.jsonText(
    s.exactly({
      environments: forEachEnvironment(
        s.exactly({ auth: origin, token: origin, apiTemplate: origin, resourceId: text }),
      ),
      tryItRedirectUri: text,
    }),
  ),
  portalTiers: s.jsonText(
    forEachEnvironment(
      s.exactly({
        /** A tier in the environment's `USAGE_PLANS`. */
        name: text,
        requestsPerSecond: positive,
        burst: positive,
        requestsPerDay: positive,
      }),
    ),
  ),
  fourEyes: onOrOff,
  networkChecks: onOrOff,
  directoryKeysSecret: text,
  doctorEnvironment: s.oneOf(environments),
  protectedNames: list,
  operatorAuthenticator: s.oneOf(['required', 'offered']),
} satisfies Record<keyof typeof environmentVariables, s.Shape<unknown>>;

type Variables = { readonly [Name in keyof typeof variables]: s.Shaped<(typeof variables)[Name]> };

/**
 * Reads the named environment variables at once, so that a missing one fails the cold start rather than a later request.
 *
 * @throws Error with the names of all missing or malformed variables, without values.
 */
export function readEnvironment<Name extends keyof typeof variables>(
  names: readonly Name[],
  source: Readonly<Record<string, string | undefined>> = process.env,
): Pick<Variables, Name> {
  const values: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const name of names) {
    const variable = environmentVariables[name];
    const value = variables[name](source[variable]);
    if (value !== s.wrong) values[name] = value;
    else wrong.push(`${variable} (${source[variable] === undefined ? 'missing' : 'malformed'})`);
  }
  if (wrong.length > 0) throw new Error(`the function's environment is wrong: ${wrong.join(', ')}`);
  return values as Pick<Variables, Name>;
}
