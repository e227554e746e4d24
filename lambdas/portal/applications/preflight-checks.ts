/** Pre-flight checks of a submission: production values, reachable addresses, own keys, a successful sandbox call and others. */

import { type Interface, interfaces } from '../../catalog/fhir/interfaces.ts';
import { browserKeyPrefix } from '../../catalog/oauth/client-keys.ts';
import type { ApplicationConfiguration, ConfigurationField, FieldIssue } from '../api/applications.ts';
import type { Evidence, PreflightCheck } from '../api/views.ts';
import { attestation as attestationText } from '../catalog/agreements.ts';
import { isCallAskedFor } from '../catalog/asked-for-calls.ts';
import type { Application } from './application.ts';
import { differences } from './difference.ts';
import { untestedProducts } from './evidence.ts';

/** The result of opening an address. `skipped`: the portal's configuration or the rules for addresses do not allow to open it. */
export type Reachability = 'answers' | 'silent' | 'refuses' | 'skipped';

export interface PreflightInput {
  /** The configuration to submit. */
  readonly configuration: ApplicationConfiguration;
  readonly application: Application;
  readonly evidence: readonly Evidence[];
  /** Set if the sandbox was not available, so that more evidence may exist. */
  readonly sandboxAway: boolean;
  /** Every production rule that the configuration breaks, including the rules of the production environment. */
  readonly issues: readonly FieldIssue[];
  readonly reachability: ReadonlyMap<string, Reachability>;
}

type Check = (input: PreflightInput) => readonly PreflightCheck[];

/**
 * The address fields that a pre-flight opens, with their names in messages. `missing`: the check's result if the address does not respond;
 * `fail` blocks a submission.
 */
const addresses = [
  { field: 'applicationUri', name: 'The application’s address', missing: 'fail' },
  { field: 'privacyUri', name: 'The privacy policy', missing: 'fail' },
  { field: 'tosUri', name: 'The terms of service', missing: 'fail' },
  { field: 'jwksUri', name: 'The JWKS address', missing: 'fail' },
  // A login address may refuse a request without the parameters of a launch.
  { field: 'loginInitiateUri', name: 'The login address', missing: 'warn' },
  { field: 'logoutRedirectUri', name: 'The logout address', missing: 'warn' },
  { field: 'attestationCertsUri', name: 'The attestation certificate address', missing: 'warn' },
] as const satisfies readonly {
  readonly field: ConfigurationField;
  readonly name: string;
  readonly missing: 'fail' | 'warn';
}[];

/** Lists the addresses of a configuration to open, each once. */
export function addressesToCheck(configuration: ApplicationConfiguration): readonly string[] {
  const uris = addresses.flatMap(({ field }) => configuration[field] ?? []);
  return [...new Set(uris)];
}

/** The checks of a submission, in the order in which they are shown. */
const checks: readonly Check[] = [
  productionValues,
  reachable,
  keysOfItsOwn,
  reachableContact,
  testedInSandbox,
  sameAsTested,
  attested,
];

export function preflight(input: PreflightInput): readonly PreflightCheck[] {
  return checks.flatMap((check) => check(input));
}

export function hasBlocker(results: readonly PreflightCheck[]): boolean {
  return results.some(({ result }) => result === 'fail');
}

function productionValues({ issues }: PreflightInput): readonly PreflightCheck[] {
  const title = 'Production values are complete, and addresses start with https://';
  if (issues.length === 0) {
    return [{ id: 'production-values', title, result: 'pass', detail: 'All values are valid.' }];
  }
  return issues.map(({ path: [field], message }, index) => ({
    id: index === 0 ? 'production-values' : `production-values-${index + 1}`,
    title,
    result: 'fail',
    detail: `Expected: ${message}.`,
    field: String(field) as ConfigurationField,
  }));
}

const reachabilityDetails: Readonly<Record<Reachability, string>> = {
  answers: 'The address answers over HTTPS.',
  silent:
    'The address does not answer over HTTPS, or its name does not resolve to a public internet address.',
  refuses: 'The address answers with an error.',
  skipped:
    'Not checked, because the portal’s network does not allow it here. An operator opens the address before a decision.',
};

function reachable({ configuration, reachability }: PreflightInput): readonly PreflightCheck[] {
  return addresses.flatMap(({ field, name, missing }) => {
    const uri = configuration[field];
    if (uri === undefined) return [];
    const found = reachability.get(uri) ?? 'skipped';
    const result = found === 'answers' ? 'pass' : found === 'skipped' ? 'skipped' : missing;
    return [
      { id: `address-${field}`, title: `${name} answers`, result, detail: reachabilityDetails[found], field },
    ];
  });
}

/** Warns of a key that was made for the guided first call: sandbox values are copied to production, and the key with them. */
function keysOfItsOwn({ configuration }: PreflightInput): readonly PreflightCheck[] {
  const { jwks } = configuration;
  if (jwks === undefined) return [];
  const common = { id: 'own-keys', title: 'The application uses its own keys', field: 'jwks' } as const;
  const made = jwks.keys.map(({ kid }) => kid).filter((kid) => kid.startsWith(browserKeyPrefix));
  if (made.length === 0) {
    const detail = 'No key was created in a browser for the guided first call.';
    return [{ ...common, result: 'pass', detail }];
  }
  const [were, them] = made.length === 1 ? ['was', 'it'] : ['were', 'them'];
  const detail = `${made.join(', ')} ${were} created in a browser for the guided first call and cannot leave that browser, so your application cannot sign with ${them}. Replace with your application’s own public key.`;
  return [{ ...common, result: 'warn', detail }];
}

/** Domains reserved for examples (RFC 2606 section 3), and phone numbers reserved for fiction (555-0100 to 555-0199). */
const exampleDomain = /(?:^|[@.])(?:example\.(?:com|net|org)|[^@.]+\.(?:example|test|invalid)|localhost)$/i;
const fictionalNumber = /555\D*01\d\d$/;

function reachableContact({ configuration }: PreflightInput): readonly PreflightCheck[] {
  const title = 'Contact details are valid';
  const doubts = [
    ...(exampleDomain.test(configuration.contactEmail) ? ['contactEmail' as const] : []),
    ...(fictionalNumber.test(configuration.supportPhone) ? ['supportPhone' as const] : []),
  ];
  if (doubts.length === 0) {
    const detail = 'A contact e-mail address and a support phone number are given.';
    return [{ id: 'contact', title, result: 'pass', detail }];
  }
  return doubts.map((field) => ({
    id: `contact-${field}`,
    title,
    result: 'warn',
    detail: 'This looks like an example. Enter an address or number that operators and members can use.',
    field,
  }));
}

/** Conditions of a successful call of each product, besides the application's credentials; appended to the check's message. */
const callNeeds: Readonly<Record<Interface, string>> = {
  'patient-access': '',
  'payer-access': ' Payer Access answers once an operator has verified your organization’s identifiers.',
  'provider-directory': ' Send the subscription key: a call without it does not identify the application.',
};

function testedInSandbox({
  configuration,
  evidence,
  sandboxAway,
}: PreflightInput): readonly PreflightCheck[] {
  const missing = untestedProducts(configuration, evidence);
  return configuration.products.map((product) => {
    const title = `${interfaces[product].name} was called in the sandbox`;
    const id = `evidence-${product}`;
    if (!isCallAskedFor(product, configuration.grantType)) {
      const detail = `No call is needed, because only back-end services can call ${interfaces[product].name}.`;
      return { id, title, result: 'skipped', detail, field: 'products' };
    }
    return missing.includes(product)
      ? {
          id,
          title,
          result: 'fail',
          detail: sandboxAway
            ? 'The sandbox is not available right now. Try again in a moment.'
            : `There is no successful call yet. Calls appear here about a minute after you make them.${callNeeds[product]}`,
          field: 'products',
        }
      : { id, title, result: 'pass', detail: 'There is a successful call.', field: 'products' };
  });
}

/** Fields that affect calls: if one differs from the sandbox's value, the sandbox test does not cover production. */
const testedFields: readonly ConfigurationField[] = [
  'grantType',
  'tokenEndpointAuthMethod',
  'pkce',
  'products',
  'linesOfBusiness',
];

function sameAsTested({ application, configuration }: PreflightInput): readonly PreflightCheck[] {
  const title = 'The tested configuration is the one submitted';
  const fields = differences(application.sandbox, configuration).map(({ field }) => field);
  const untested = fields.filter((field) => testedFields.includes(field));
  if (untested.length > 0) {
    return untested.map((field) => ({
      id: `sandbox-difference-${field}`,
      title,
      result: 'warn',
      detail: 'The sandbox has a different value, so this value was not tested.',
      field,
    }));
  }
  const detail =
    fields.length === 0
      ? 'The values are the same as in the sandbox.'
      : `These fields differ from the sandbox, which is allowed: ${fields.join(', ')}.`;
  return [{ id: 'sandbox-difference', title, result: 'pass', detail }];
}

function attested({ application, configuration }: PreflightInput): readonly PreflightCheck[] {
  const title = 'The application is attested';
  const { attestation } = application;
  if (attestation === undefined) {
    const effect =
      configuration.grantType === 'client_credentials'
        ? 'No member signs in to the application.'
        : 'Members see a warning when they sign in.';
    const detail = `Not attested. ${effect} You can still submit the application.`;
    return [{ id: 'attestation', title, result: 'warn', detail }];
  }
  return attestation.textVersion === attestationText.version
    ? [{ id: 'attestation', title, result: 'pass', detail: `Attested on ${attestation.at.slice(0, 10)}.` }]
    : [
        {
          id: 'attestation',
          title,
          result: 'warn',
          detail: 'A newer version of the attestation is published.',
        },
      ];
}
