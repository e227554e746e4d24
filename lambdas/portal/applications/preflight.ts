import { browserKeyPrefix } from '../../catalog/client-jwks.ts';
import { interfaces } from '../../catalog/interfaces.ts';
import type { ApplicationConfiguration, ConfigurationField, FieldIssue } from '../api/applications.ts';
import type { Evidence, PreflightCheck } from '../api/views.ts';
import { attestation as attestationText } from '../catalog/agreements.ts';
import type { Application } from './application.ts';
import { differences } from './difference.ts';
import { isSeen, untestedProducts } from './evidence.ts';

/** The result of opening an address; `skipped` where the network here does not allow it. */
export type Reachability = 'answers' | 'silent' | 'refuses' | 'skipped';

export interface PreflightInput {
  /** The configuration to submit. */
  readonly configuration: ApplicationConfiguration;
  readonly application: Application;
  readonly evidence: readonly Evidence[];
  /** The sandbox could not be asked, so there may be more evidence. */
  readonly sandboxAway: boolean;
  /** Every production rule it breaks, the environment's own among them. */
  readonly issues: readonly FieldIssue[];
  readonly reachability: ReadonlyMap<string, Reachability>;
}

type Check = (input: PreflightInput) => readonly PreflightCheck[];

/** The addresses a pre-flight looks at, what each is called, and whether a page that isn't there keeps a submission back. */
const addresses = [
  { field: 'applicationUri', name: 'The application’s address', missing: 'fail' },
  { field: 'privacyUri', name: 'The privacy policy', missing: 'fail' },
  { field: 'tosUri', name: 'The terms of service', missing: 'fail' },
  { field: 'jwksUri', name: 'The address of the keys', missing: 'fail' },
  // An address for a sign-in may refuse a plain call.
  { field: 'loginInitiateUri', name: 'The login address', missing: 'warn' },
  { field: 'logoutRedirectUri', name: 'The address after signing out', missing: 'warn' },
  { field: 'attestationCertsUri', name: 'The address of attestation certificates', missing: 'warn' },
] as const satisfies readonly {
  readonly field: ConfigurationField;
  readonly name: string;
  readonly missing: 'fail' | 'warn';
}[];

/** The addresses of a configuration that are looked at, each once. */
export function addressesToCheck(configuration: ApplicationConfiguration): readonly string[] {
  const uris = addresses.flatMap(({ field }) => configuration[field] ?? []);
  return [...new Set(uris)];
}

/** The checks a submission needs, in the order they are shown. */
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
  const title = 'The production values are complete, and their addresses begin with https://';
  if (issues.length === 0) {
    return [{ id: 'production-values', title, result: 'pass', detail: 'Every value is accepted.' }];
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
  answers: 'It answers over https.',
  silent: 'Nothing answers there over https, or the name leads to no address of the public internet.',
  refuses: 'It answers, but with an error.',
  skipped: 'Not opened: the portal’s network does not allow it here. It is opened by hand before a decision.',
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

/** Warns of a key made for the guided first call: sandbox values are copied to production, that key too. */
function keysOfItsOwn({ configuration }: PreflightInput): readonly PreflightCheck[] {
  const { jwks } = configuration;
  if (jwks === undefined) return [];
  const common = { id: 'own-keys', title: 'The keys are the program’s own', field: 'jwks' } as const;
  const made = jwks.keys.map(({ kid }) => kid).filter((kid) => kid.startsWith(browserKeyPrefix));
  if (made.length === 0) {
    const detail = 'None of them was made in a browser for the guided first call.';
    return [{ ...common, result: 'pass', detail }];
  }
  const [were, them] = made.length === 1 ? ['was', 'it'] : ['were', 'them'];
  const detail = `${made.join(', ')} ${were} made in a browser for the guided first call and cannot leave that browser: the program cannot sign with ${them}. Its own public key belongs here instead.`;
  return [{ ...common, result: 'warn', detail }];
}

/** RFC 2606 section 3, and numbers set aside for fiction (555-0100 to 555-0199). */
const exampleDomain = /(?:^|[@.])(?:example\.(?:com|net|org)|[^@.]+\.(?:example|test|invalid)|localhost)$/i;
const fictionalNumber = /555\D*01\d\d$/;

function reachableContact({ configuration }: PreflightInput): readonly PreflightCheck[] {
  const title = 'Somebody can be reached';
  const doubts = [
    ...(exampleDomain.test(configuration.contactEmail) ? ['contactEmail' as const] : []),
    ...(fictionalNumber.test(configuration.supportPhone) ? ['supportPhone' as const] : []),
  ];
  if (doubts.length === 0) {
    const detail = 'A contact e-mail address and a support telephone number are given.';
    return [{ id: 'contact', title, result: 'pass', detail }];
  }
  return doubts.map((field) => ({
    id: `contact-${field}`,
    title,
    result: 'warn',
    detail: 'This looks like an example. Operators and members write or call here.',
    field,
  }));
}

function testedInSandbox({
  configuration,
  evidence,
  sandboxAway,
}: PreflightInput): readonly PreflightCheck[] {
  const missing = untestedProducts(configuration, evidence);
  return configuration.products.map((product) => {
    const title = `${interfaces[product].name} was called in the sandbox`;
    const id = `evidence-${product}`;
    if (!isSeen(product, configuration.grantType)) {
      const detail = 'Its calls carry no key yet, so the service cannot see whose they are.';
      return { id, title, result: 'skipped', detail, field: 'products' };
    }
    return missing.includes(product)
      ? {
          id,
          title,
          result: 'fail',
          detail: sandboxAway
            ? 'The sandbox cannot be asked right now. Try again in a moment.'
            : 'No successful call was seen. Calls show up here about a minute after they were made.',
          field: 'products',
        }
      : { id, title, result: 'pass', detail: 'A successful call was seen.', field: 'products' };
  });
}

/** Fields whose change makes the sandbox test say nothing about production. */
const testedFields: readonly ConfigurationField[] = [
  'grantType',
  'tokenEndpointAuthMethod',
  'pkce',
  'products',
  'linesOfBusiness',
];

function sameAsTested({ application, configuration }: PreflightInput): readonly PreflightCheck[] {
  const title = 'What was tested is what will run';
  const fields = differences(application.sandbox, configuration).map(({ field }) => field);
  const untested = fields.filter((field) => testedFields.includes(field));
  if (untested.length > 0) {
    return untested.map((field) => ({
      id: `sandbox-difference-${field}`,
      title,
      result: 'warn',
      detail: 'The sandbox has another value, so this one was not tried out.',
      field,
    }));
  }
  const detail =
    fields.length === 0
      ? 'The values are those of the sandbox.'
      : `These differ from the sandbox, as they may: ${fields.join(', ')}.`;
  return [{ id: 'sandbox-difference', title, result: 'pass', detail }];
}

function attested({ application }: PreflightInput): readonly PreflightCheck[] {
  const title = 'How the application handles member data is attested';
  const { attestation } = application;
  if (attestation === undefined) {
    const detail =
      'Not attested. Members are warned when they sign in; the application can be submitted all the same.';
    return [{ id: 'attestation', title, result: 'warn', detail }];
  }
  return attestation.textVersion === attestationText.version
    ? [{ id: 'attestation', title, result: 'pass', detail: `Attested on ${attestation.at.slice(0, 10)}.` }]
    : [{ id: 'attestation', title, result: 'warn', detail: 'A newer text has been published since.' }];
}
