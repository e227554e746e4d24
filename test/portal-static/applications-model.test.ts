import { exportLines } from '../../portal-static/pages/applications/credentials-model.ts';
import { describe, expect, it } from 'vitest';
import { authorizationErrors } from '../../lambdas/catalog/oauth/oauth-errors.ts';
import { draftRequest } from '../../lambdas/portal/api/application-requests.ts';
import { readConfiguration, screens } from '../../lambdas/portal/api/applications.ts';
import type { ApplicationView } from '../../lambdas/portal/api/views.ts';
import { applicationTypeNames } from '../../lambdas/portal/catalog/application-states.ts';
import {
  callableInterfaces,
  callableSummary,
} from '../../portal-static/pages/applications/callable-model.ts';
import {
  errorsAddress,
  explain as explainCall,
  isRefused,
  usageSummary,
} from '../../portal-static/pages/applications/calls-model.ts';
import {
  differencesBetween,
  inWords,
  reconcile,
} from '../../portal-static/pages/applications/difference-model.ts';
import { exampleWords, withExamples } from '../../portal-static/pages/applications/examples-model.ts';
import { applicationFields, fieldsOf } from '../../portal-static/pages/applications/fields-model.ts';
import {
  blankValues,
  configurationOf,
  draftOf,
  formValues,
  isAskedFor,
  isOpen,
  issuesByField,
  screenOf,
  withoutBlankRows,
  withType,
} from '../../portal-static/pages/applications/form-values-model.ts';
import { allIssues, screenIssues } from '../../portal-static/pages/applications/issues-model.ts';
import {
  currentStep,
  nextActor,
  nextStep,
  untested,
  wayToProduction,
} from '../../portal-static/pages/applications/next-step-model.ts';
import { isListedIn, withoutRepeats } from '../../portal-static/pages/applications/state-model.ts';
import { screenSummary } from '../../portal-static/pages/applications/summary-model.ts';
import { aConfiguration, anApplication } from './applications-fixtures.ts';

/** Every label of docs/service.md S3.1 and S3.2, in order. */
const labels = [
  'Application Name',
  'Application Display name',
  'Application Type',
  'Grant Type',
  'Response Types',
  'Token Endpoint Authorization Method',
  'Application Description',
  'Products',
  'Application URI',
  'Login initiate URI',
  'Login Redirect URI',
  'Logout Redirect URI',
  'Attestation Certs URI',
  'Privacy URI',
  'TOS URI',
  'Contact Email',
  'US Support Contact Phone Number',
];

describe('the fields of an application', () => {
  it('have the labels of the description, in its order', () => {
    const shown = applicationFields.map(({ label }) => label);
    expect(shown.filter((label) => labels.includes(label))).toEqual(labels);
  });

  it('are on a screen each, none forgotten and none more than the schema knows', () => {
    for (const [screen, schema] of Object.entries(screens)) {
      const names = fieldsOf(screen as keyof typeof screens).map(({ name }) => name);
      expect(names.toSorted()).toEqual(Object.keys(schema.shape).toSorted());
    }
  });
});

describe('a screen of the registration', () => {
  it('says of each required field what is expected, and of no field of another screen', () => {
    for (const screen of ['registration', 'uris', 'contact'] as const) {
      const issues = screenIssues(screen, blankValues(), 'sandbox');
      const required = fieldsOf(screen).filter((field) => field.required);
      expect(new Set(issues.map(({ path }) => path[0]))).toEqual(new Set(required.map(({ name }) => name)));
    }
  });

  it('judges the rules between its fields before the later screens are filled in', () => {
    const values = {
      ...formValues({ ...aConfiguration, grantType: 'client_credentials' }),
      ...{ applicationUri: '', contactEmail: '' },
    };
    expect(screenIssues('registration', values, 'sandbox').map(({ path }) => path[0])).toContain('grantType');
    expect(screenIssues('contact', values, 'sandbox').map(({ path }) => path[0])).toEqual(['contactEmail']);
  });

  it('refuses http in production at the row it stands in', () => {
    const values = formValues({
      ...aConfiguration,
      loginRedirectUris: ['https://app.example.org/cb', 'http://localhost:3000/cb'],
    });
    expect(screenIssues('uris', values, 'sandbox')).toEqual([]);
    const issues = issuesByField(screenIssues('uris', values, 'production'));
    expect(issues.loginRedirectUris?.map(({ row }) => row)).toEqual([1]);
  });

  it('lets go of rows left empty, so that a row’s number is that of the request', () => {
    const values = { ...blankValues(), loginRedirectUris: ['', 'https://a.example.org/', ' '] };
    expect(withoutBlankRows(values).loginRedirectUris).toEqual(['https://a.example.org/']);
    expect(withoutBlankRows(blankValues()).loginRedirectUris).toEqual(['']);
  });

  it('finds the screen of a field that an answer names', () => {
    expect([screenOf('tosUri'), screenOf('supportPhone'), screenOf('products')]).toEqual([
      'uris',
      'contact',
      'registration',
    ]);
  });
});

describe('the examples of a registration', () => {
  const account = { email: 'dana@example.org', phone: '+12025550123' };

  it.each(['', ...applicationTypeNames])('complete a form of the type “%s” for the sandbox', (type) => {
    const begun = type === '' ? blankValues() : withType(blankValues(), type as 'web');
    const filled = withExamples(begun, account);
    expect(allIssues(filled, 'sandbox')).toEqual([]);
    expect(filled.contactEmail).toBe(account.email);
    expect(filled.supportPhone).toBe(account.phone);
  });

  it('leave what was typed, and ask nobody else for a number', () => {
    const typed = { ...blankValues(), applicationName: 'Steps', applicationUri: 'https://steps.example/' };
    const filled = withExamples(typed, { email: 'dana@example.org', phone: '•••• 0123' });
    expect(filled).toMatchObject({
      applicationName: 'Steps',
      applicationUri: 'https://steps.example/',
      supportPhone: '202-555-0123',
    });
  });

  it('are marked as examples until they are changed, and production refuses each address', () => {
    const filled = withExamples(blankValues(), account);
    const marked = applicationFields.filter(({ name }) => exampleWords(name, filled[name], account));
    const refused = new Set(allIssues(filled, 'production').map(({ path }) => path[0]));
    expect(marked.map(({ name }) => name)).toEqual(expect.arrayContaining([...refused]));
    expect([...refused].sort()).toEqual(
      marked
        .map(({ name }) => name as string)
        .filter((name) => /Uris?$/.test(name))
        .sort(),
    );
    expect(exampleWords('tosUri', 'https://steps.example/terms', account)).toBeUndefined();
    expect(exampleWords('contactEmail', 'help@steps.example', account)).toBeUndefined();
  });
});

describe('the choices that follow from the type', () => {
  it.each(applicationTypeNames)('are valid together for %s', (type) => {
    const values = withType(formValues({ ...aConfiguration, tokenEndpointAuthMethod: undefined }), type);
    expect(readConfiguration(configurationOf(values), 'sandbox')).toMatchObject({ kind: 'configuration' });
    expect(isOpen('tokenEndpointAuthMethod', values.tokenEndpointAuthMethod as string, type)).toBe(true);
  });

  it('ask a back-end service for no address it can’t have, and send none', () => {
    const values = withType(formValues(aConfiguration), 'service');
    const addresses = ['loginInitiateUri', 'loginRedirectUris', 'logoutRedirectUri'];
    expect(addresses.map((name) => isAskedFor(name, values))).toEqual([false, false, false]);
    expect(addresses.map((name) => isAskedFor(name, formValues(aConfiguration)))).toEqual([true, true, true]);
    for (const name of addresses) expect(configurationOf(values)).not.toHaveProperty(name);
    expect(screenIssues('uris', values, 'production')).toEqual([]);
  });

  it('let a mobile application name redirect URIs of its own on its screen', () => {
    const values = {
      ...withType(formValues(aConfiguration), 'native'),
      loginRedirectUris: ['com.example.app:/cb'],
    };
    expect(screenIssues('uris', values, 'production')).toEqual([]);
    expect(screenIssues('uris', { ...values, applicationType: 'web' }, 'production')).toHaveLength(1);
  });

  it('keep a method that fits, and drop a key address that no longer does', () => {
    const jwt = {
      ...formValues(aConfiguration),
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwksUri: 'https://a.example.org/jwks',
    };
    expect(withType(jwt, 'service')).toMatchObject({
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwksUri: 'https://a.example.org/jwks',
    });
    expect(withType(jwt, 'native')).toMatchObject({ tokenEndpointAuthMethod: 'none', jwksUri: '' });
  });
});

describe('a form', () => {
  it('gives back the configuration it was filled with', () => {
    expect(configurationOf(formValues(aConfiguration))).toEqual(aConfiguration);
    expect(allIssues(formValues(aConfiguration), 'production')).toEqual([]);
  });

  it('leaves blank what a draft holds in another form than the control', () => {
    expect(formValues({ applicationName: ['x'], products: 'patient-access', pkce: false })).toMatchObject({
      applicationName: '',
      products: [],
      pkce: false,
    });
  });
});

describe('a draft', () => {
  const key = { kty: 'RSA', kid: 'ours', n: 'n'.repeat(683), e: 'AQAB', alg: 'RS384', use: 'sig' };
  const keys = JSON.stringify({ keys: Array.from({ length: 10 }, () => key) }, null, 2);

  it.each([
    ['of ten keys', keys],
    ['begun', '{ "keys": ['],
    ['that is JSON and none', '"none"'],
    ['not given', ''],
  ])('is kept with a key set %s, as it was typed', (_what, jwks) => {
    const typed = { ...formValues({ ...aConfiguration, tokenEndpointAuthMethod: 'private_key_jwt' }), jwks };
    const kept = draftRequest.safeParse({ screen: 'registration', values: draftOf(typed) });
    expect(kept.error?.issues ?? []).toEqual([]);
    expect(formValues(kept.data?.values ?? {})).toEqual(typed);
  });
});

describe('products and lines of business', () => {
  it('lets the selected interfaces be called where the line of business offers them', () => {
    expect(callableInterfaces(['patient-access', 'provider-directory'], ['DSNP', 'MHBE'])).toEqual([
      { product: 'patient-access', lobs: ['DSNP', 'MHBE'] },
      { product: 'provider-directory', lobs: ['DSNP'] },
    ]);
    expect(callableSummary(['patient-access', 'provider-directory'], ['MHBE', 'DSNP'])).toBe(
      'This application can call 3 interfaces. MHBE has no Provider Directory.',
    );
    expect(callableSummary([], ['DSNP'])).toMatch(/^Choose at least one product/);
  });
});

describe('differences', () => {
  it('are none between keys whose members come in another order', () => {
    const jwks = { keys: [{ kty: 'EC', crv: 'P-384', kid: 'ours', x: 'x', y: 'y' }] };
    const stored = { keys: [{ y: 'y', x: 'x', kid: 'ours', crv: 'P-384', kty: 'EC' }] };
    const other = { keys: [{ ...stored.keys[0], y: 'z' }] };
    const before = { ...aConfiguration, jwks };
    expect(differencesBetween(before, { ...aConfiguration, jwks: stored })).toEqual([]);
    expect(differencesBetween(before, { ...aConfiguration, jwks: other })).toMatchObject([{ field: 'jwks' }]);
  });

  it('name the field as the form does and the values as people read them', () => {
    const [difference] = differencesBetween(aConfiguration, {
      ...aConfiguration,
      products: ['patient-access', 'payer-access'],
    });
    expect(difference && inWords(difference)).toEqual({
      field: 'products',
      label: 'Products',
      before: ['Patient Access'],
      after: ['Patient Access', 'Payer Access'],
      kind: 'changed',
    });
    expect(inWords({ field: 'description', before: undefined, after: 'x' }).kind).toBe('added');
    expect(inWords({ field: 'pkce', before: true, after: undefined }).kind).toBe('removed');
  });

  it('keep what was typed here, take over what was changed elsewhere, and show what both touched', () => {
    const typed = { ...formValues(aConfiguration), applicationName: 'Mine', contactEmail: 'me@example.org' };
    const current = {
      ...aConfiguration,
      applicationName: 'Theirs',
      tosUri: 'https://app.example.org/new-terms',
    };
    const joined = reconcile(aConfiguration, typed, current);
    expect(joined.values).toMatchObject({
      applicationName: 'Mine',
      contactEmail: 'me@example.org',
      tosUri: 'https://app.example.org/new-terms',
    });
    expect(joined.taken.map(({ field }) => field)).toEqual(['tosUri']);
    expect(joined.contested).toEqual([{ field: 'applicationName', before: 'Theirs', after: 'Mine' }]);
  });
});

describe('what comes next', () => {
  it('names the products whose call is awaited, and not those whose interface is public', () => {
    const configuration = {
      ...aConfiguration,
      products: ['patient-access' as const, 'payer-access' as const],
    };
    const of = (grantType: 'authorization_code' | 'client_credentials', evidence = false) =>
      anApplication({
        ...(evidence ? {} : { evidence: [] }),
        sandbox: { clientId: 'c', configuration: { ...configuration, grantType } },
      });
    expect(untested(of('authorization_code'))).toEqual(['Patient Access']);
    expect(untested(of('authorization_code', true))).toEqual([]);
    expect(nextStep(of('client_credentials'))).toContain('Patient Access and Payer Access');
  });

  it('speaks of the change where what was approved has one', () => {
    expect(nextStep(anApplication({ state: 'approved', changeState: 'draft' }))).toContain(
      'Submit your change',
    );
    expect(nextStep(anApplication({ state: 'approved', changeState: 'none' }))).toContain('production');
  });

  it('puts an application under production from promotion on', () => {
    const listed = (state: 'registered_in_sandbox' | 'promoted_to_production') =>
      isListedIn('production', anApplication({ state }));
    expect([listed('registered_in_sandbox'), listed('promoted_to_production')]).toEqual([false, true]);
    expect(isListedIn('sandbox', anApplication({ state: 'approved' }))).toBe(true);
  });
});

describe('the timeline', () => {
  const event = (
    eventId: string,
    act: 'view_credentials' | 'rotate_secret',
    name = 'Ada',
    words = 'sandbox',
  ) =>
    ({
      eventId,
      at: '2026-11-20T10:00:00Z',
      actor: { kind: 'developer', name },
      act,
      state: 'registered_in_sandbox',
      words,
    }) as const;

  it('shows looking at credentials again and again once, and leaves out nothing else', () => {
    const events = [
      event('6', 'view_credentials'),
      event('5', 'view_credentials'),
      event('4', 'view_credentials', 'Grace'),
      event('3', 'view_credentials', 'Grace', 'production'),
      event('2', 'rotate_secret'),
      event('1', 'rotate_secret'),
      event('0', 'view_credentials'),
    ];
    expect(withoutRepeats(events).map(({ eventId }) => eventId)).toEqual(['6', '4', '3', '2', '1', '0']);
  });
});

describe('the log of calls', () => {
  it('explains the gateway’s refusal before the status, and nothing that succeeded', () => {
    const explain = (call: Omit<Parameters<typeof explainCall>[0], 'route'>) =>
      explainCall({ route: '/extfhirpatientaccess/v1/Patient', ...call });
    expect(explain({ status: 200 })).toBeUndefined();
    expect(explain({ status: 403, responseType: 'INVALID_API_KEY' })?.expected).toContain('subscription key');
    expect(explain({ status: 403 })?.expected).toContain('scope');
    expect(explain({ status: 401, responseType: 'ACCESS_DENIED', reason: 'token_expired' })?.received).toBe(
      'an expired token',
    );
    expect(explain({ status: 401, responseType: 'ACCESS_DENIED', reason: 'no such reason' })).toEqual(
      explain({ status: 401, responseType: 'ACCESS_DENIED' }),
    );
    expect(explain({ status: 418 })).toEqual(explain({ status: 400 }));
    expect(explain({ status: 502, responseType: 'DEFAULT_5XX' })?.received).toContain(
      'failure of the service',
    );
  });

  it('explains a refused authorization request by what was sent, though its response is a redirect', () => {
    const call = {
      status: 303,
      route: '/fhir-oauth2/sec/{lob}/authorize',
      reason: 'invalid_scope',
      expected: 'a scope',
      received: 'scope=launch/unknown',
    };
    expect(isRefused(call)).toBe(true);
    expect(explainCall(call)).toEqual({
      expected: 'a scope',
      received: 'scope=launch/unknown',
      fix: authorizationErrors.invalid_scope.fix,
    });
  });

  it('leads to the part of the page of errors that is about the call', () => {
    const read = { lob: 'DSNP', route: '/extfhirpatientaccess/v1/Patient/{id}' } as const;
    const token = { lob: 'DSNP', route: '/fhir-oauth2/pub/{lob}/token' } as const;
    const asked = { lob: 'DSNP', route: '/fhir-oauth2/sec/{lob}/authorize' } as const;
    const machine = { route: '/token/v2' };
    for (const [call, anchor] of [
      [{ ...read, reason: 'token_expired' }, 'reason-token_expired'],
      [read, 'fhir-apis'],
      [machine, 'tokens-and-userinfo'],
      [token, 'tokens-and-userinfo'],
      [{ ...token, reason: 'code_expired' }, 'reason-code_expired'],
      [{ ...asked, reason: 'invalid_scope' }, 'authorization-invalid_scope'],
      // The token endpoints have this reason too.
      [{ ...asked, reason: 'client_inactive' }, 'page-client_inactive'],
      [{ ...token, reason: 'of a later release' }, 'tokens-and-userinfo'],
    ] as const) {
      expect(errorsAddress(call)).toBe(`/docs/errors#${anchor}`);
    }
  });

  it('says the busiest day and its part of the quota', () => {
    const days = [
      { date: '2026-11-18', used: 10, remaining: 9990 },
      { date: '2026-11-19', used: 2500, remaining: 7500 },
    ];
    const usage = { quotaPerDay: 10_000, requestsPerSecond: 10, burst: 20, days };
    expect(usageSummary(usage)).toBe('The busiest day was 2026-11-19 with 2,500 calls, 25 % of the quota.');
    expect(usageSummary({ ...usage, days: [] })).toBe('There are no calls in this period.');
    expect(usageSummary({ ...usage, quotaPerDay: 1_000_000 })).toContain('less than 1 % of the quota.');
  });

  it('says no part of a quota that there is not', () => {
    const days = [{ date: '2026-11-19', used: 1, remaining: 0 }];
    const usage = { quotaPerDay: 0, requestsPerSecond: 10, burst: 20, days };
    expect(usageSummary(usage)).toBe('The busiest day was 2026-11-19 with 1 call.');
  });
});

describe('the way to production', () => {
  const at = (more: Partial<ApplicationView>) => {
    const view = anApplication(more);
    const current = currentStep(view);
    return [current === undefined ? undefined : (wayToProduction[current]?.step ?? 'done'), nextActor(view)];
  };

  it('says which step comes next, and who acts', () => {
    const developer = 'You act next.';
    const operator = 'An operator acts next.';
    expect(at({ state: 'registered_in_sandbox', evidence: [] })).toEqual(['Tested in sandbox', developer]);
    expect(at({ state: 'registered_in_sandbox' })).toEqual(['Submitted', developer]);
    expect(at({ state: 'promoted_to_production' })).toEqual(['Submitted', developer]);
    expect(at({ state: 'awaiting_operator_approval' })).toEqual(['Decided', operator]);
    expect(at({ state: 'rejected' })).toEqual(['Submitted', developer]);
    expect(at({ state: 'approved', changeState: 'none' })).toEqual(['done', undefined]);
    expect(at({ state: 'approved', changeState: 'rejected' })).toEqual(['done', developer]);
    expect(at({ state: 'suspended' })).toEqual(['In production', operator]);
    expect(at({ state: 'withdrawn' })).toEqual([undefined, undefined]);
  });
});

describe('the summary of a configuration', () => {
  it('says in one line what each screen has', () => {
    expect(screenSummary('registration', aConfiguration)).toBe(
      'Web application with a server, authorization_code, Patient Access, DSNP MAPD',
    );
    expect(screenSummary('uris', aConfiguration)).toBe('6 of 7 are set, without Attestation Certs URI');
    expect(screenSummary('contact', aConfiguration)).toBe('team@companion.example.org, 202-555-0123');
  });
});

describe('the export lines of credentials', () => {
  const live = (value: string) => ({ value, createdAt: '2026-11-20T00:00:00.000Z' });

  it('have the newest secret and key', () => {
    const credentials = {
      clientId: 'c1',
      secrets: [live('newest'), live('older')],
      subscriptionKeys: [live('k1')],
    };
    expect(exportLines(credentials)).toBe(
      "export CLIENT_ID='c1'\nexport CLIENT_SECRET='newest'\nexport SUBSCRIPTION_KEY='k1'\n",
    );
  });

  it('have no secret for a client without one', () => {
    const credentials = { clientId: 'c1', secrets: [], subscriptionKeys: [live('k1')] };
    expect(exportLines(credentials)).toBe("export CLIENT_ID='c1'\nexport SUBSCRIPTION_KEY='k1'\n");
  });
});
