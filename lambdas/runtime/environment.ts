/** Environment variables of the functions: the schema of each, and the reader that checks them at the cold start. */

import * as z from 'zod/mini';
import { environmentVariables } from '../catalog/environment-variables.ts';
import { environments } from '../catalog/environments.ts';
import { directoryAccesses } from '../catalog/fhir/directory-access.ts';
import { languages } from '../catalog/languages.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../catalog/lines-of-business.ts';
import {
  providerAuthenticationMethods,
  providerIdTokenAlgorithms,
} from '../catalog/oauth/identity-providers.ts';
import { memberVerifications } from '../catalog/oauth/member-verifications.ts';
import { subscriptionKeyRequirements } from '../catalog/subscription-key-requirements.ts';

const text = z.string().check(z.minLength(1));
const origin = z.string().check(z.regex(/^https?:\/\/[a-z0-9.{}-]+(:\d+)?$/));
const wholeNumber = z.pipe(
  z.string().check(z.regex(/^[1-9]\d*$/)),
  z.transform((value) => Number(value)),
);
const map = z.pipe(
  z.string(),
  z.transform((value, context): Record<string, string> => {
    try {
      return z.record(z.string(), text).parse(JSON.parse(value));
    } catch {
      context.issues.push({ code: 'custom', message: 'expected a JSON object of strings', input: value });
      return {};
    }
  }),
);
const list = z.pipe(
  z.string(),
  z.transform((value, context): readonly string[] => {
    try {
      return z.array(text).parse(JSON.parse(value));
    } catch {
      context.issues.push({ code: 'custom', message: 'expected a JSON array of strings', input: value });
      return [];
    }
  }),
);

/** JSON in a variable, read by a schema. */
function json<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.pipe(
    z.pipe(
      z.string(),
      z.transform((value, context): unknown => {
        try {
          return JSON.parse(value);
        } catch {
          context.issues.push({ code: 'custom', message: 'expected JSON', input: value });
          return z.NEVER;
        }
      }),
    ),
    schema,
  );
}

/** One value for each environment the portal acts on. */
function perEnvironment<Schema extends z.ZodMiniType>(schema: Schema) {
  return json(z.record(z.enum(environments), schema));
}

const positive = z.int().check(z.positive());
const onOrOff = z.enum(['on', 'off']);

const providerChoice = {
  label: z.record(z.enum(languages), text),
  localAccounts: z.boolean(),
};

/** Values with the LOBs each is of: `[{ linesOfBusiness, provider }]`, read as LOB → provider. */
function byLineOfBusiness<Schema extends z.ZodMiniType>(provider: Schema) {
  const entry = z.strictObject({ linesOfBusiness: z.array(z.enum(lineOfBusinessCodes)), provider });
  return z.pipe(
    json(z.array(entry)),
    z.transform((entries) => {
      const providers: Partial<Record<LineOfBusiness, z.output<Schema>>> = {};
      for (const { linesOfBusiness, ...one } of entries)
        for (const lob of linesOfBusiness) providers[lob] = (one as { provider: z.output<Schema> }).provider;
      return providers;
    }),
  );
}

const variables = {
  environment: z.enum(environments),
  tableName: text,
  lineOfBusiness: z.enum(lineOfBusinessCodes),
  subscriptionKey: z.enum(subscriptionKeyRequirements),
  authOrigin: origin,
  tokenOrigin: origin,
  apiOriginTemplate: origin,
  resourceId: text,
  signingSecrets: map,
  memberPoolId: text,
  memberPoolClientId: text,
  credentialKeyId: text,
  auditSealKeyId: text,
  auditHeadLog: text,
  auditHeadStream: text,
  ingestBucket: text,
  loadStateMachine: text,
  loadRangeBytes: wholeNumber,
  loadRangesAtOnce: wholeNumber,
  toleratedFailurePercent: json(
    z.partialRecord(z.enum(lineOfBusinessCodes), z.number().check(z.minimum(0), z.maximum(100))),
  ),
  jobBucket: text,
  jobStateMachine: text,
  publicationBucket: text,
  toleratedLossPercent: z.pipe(text, z.transform(Number)),
  directoryBuildFunction: text,
  directoryAccess: z.enum(directoryAccesses),
  memberVerification: z.enum(memberVerifications),
  identityProviders: byLineOfBusiness(
    z.strictObject({
      issuer: text,
      clientId: text,
      clientAuthentication: z.enum(providerAuthenticationMethods),
      idTokenAlgorithm: z.enum(providerIdTokenAlgorithms),
      memberIdClaim: text,
      scopes: z.array(text),
      acrValues: z.array(text),
      ...providerChoice,
    }),
  ),
  identityProviderSecrets: map,
  providerChoices: z.optional(byLineOfBusiness(z.strictObject(providerChoice))),
  codeDigestKeyId: text,
  contactKeyId: text,
  textMessageCountries: list,
  activationFunction: text,
  messageSender: text,
  accessLogs: list,
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
  recaptchaSiteKey: z.optional(text),
  recaptchaSecret: z.optional(text),
  signInVerification: z.enum(memberVerifications),
  provisioningFunctions: perEnvironment(text),
  jobFunctions: perEnvironment(text),
  environmentAddresses: json(
    z.strictObject({
      environments: z.record(
        z.enum(environments),
        z.strictObject({ auth: origin, token: origin, apiTemplate: origin, resourceId: text }),
      ),
      tryItRedirectUri: text,
    }),
  ),
  portalTiers: perEnvironment(
    z.strictObject({
      /** A key of the environment's `USAGE_PLANS`. */
      name: text,
      requestsPerSecond: positive,
      burst: positive,
      requestsPerDay: positive,
    }),
  ),
  fourEyes: onOrOff,
  networkChecks: onOrOff,
  directoryKeysSecret: text,
  doctorEnvironment: z.enum(environments),
  protectedNames: list,
  operatorAuthenticator: z.enum(['required', 'offered']),
} satisfies Record<keyof typeof environmentVariables, z.ZodMiniType>;

type Variables = { readonly [Name in keyof typeof variables]: z.infer<(typeof variables)[Name]> };

/**
 * Reads the named variables of the function's environment, all at once, so that a missing one ends the cold start and
 * not the hundredth request.
 *
 * @throws Error naming every variable that is missing or malformed, and no value.
 */
export function readEnvironment<Name extends keyof typeof variables>(
  names: readonly Name[],
  source: Readonly<Record<string, string | undefined>> = process.env,
): Pick<Variables, Name> {
  const values: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const name of names) {
    const variable = environmentVariables[name];
    const parsed = z.safeParse(variables[name], source[variable]);
    if (parsed.success) values[name] = parsed.data;
    else wrong.push(`${variable} (${source[variable] === undefined ? 'missing' : 'malformed'})`);
  }
  if (wrong.length > 0) throw new Error(`the function's environment is wrong: ${wrong.join(', ')}`);
  return values as Pick<Variables, Name>;
}
