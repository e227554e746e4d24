import { beforeAll, describe, expect, it } from 'vitest';
import { createBrowser } from '../../ops/demo/browser.ts';
import { http, memberOf, redirectUri, runningSystem } from './journey.ts';
import { runApplication } from './portal/calls.ts';
import {
  aConfiguration,
  aDeveloper,
  aForm,
  anApplication,
  type Body,
  bodyOf,
  type Developer,
  type Door,
  ops,
  portalDoor,
  type Registered,
  signIn,
} from './portal-door.ts';
import { systemFile } from './system-file.ts';

/** Compares the portal to docs/service.md S2 to S4. The rules are written out here, so that a mistake in a table of the code is found. */

let door: Door;
beforeAll(() => {
  door = portalDoor(runningSystem());
});

/** The fields that an answer names as missing; fails if it names any other problem. */
function missing({ code, errors }: Body): readonly string[] {
  expect(code).toBe('invalid_request');
  return (errors ?? []).map(({ pointer, code: kind }) => `${pointer} ${kind}`).sort();
}
const each = (...fields: readonly string[]) => fields.map((field) => `/${field} missing`).sort();

const person = ['email', 'password', 'passwordConfirmation', 'botCheck'];
const contact = ['firstName', 'lastName', 'email', 'phone', 'designation'];
const organization = [
  ...['companyLegalName', 'companyEmailDomain', 'hipaaAffirmation/accepted', 'hipaaAffirmation/version'],
  ...['street', 'state', 'city', 'zipCode', 'phone', 'websiteUrl'].map((name) => `companyAddress/${name}`),
  ...['customerServiceEmail', 'customerServicePhone'],
  ...contact.map((name) => `primaryContact/${name}`),
  ...contact.map((name) => `secondaryContact/${name}`),
  ...['password', 'passwordConfirmation', 'botCheck'],
];
const empty = { hipaaAffirmation: {}, companyAddress: {}, primaryContact: {}, secondaryContact: {} };

describe('a sign-up', () => {
  it.each([
    ['individual', {}, ['firstName', 'lastName', 'company', 'mobilePhone', ...person]],
    ['payer', empty, organization],
    ['brokerage', empty, [...organization, 'employerIdentificationNumber']],
    ['classic', {}, ['firstName', 'lastName', 'role', 'companyName', 'contactPhone', ...person]],
  ])('of the type %s asks for just what is mandatory', async (developerType, parts, fields) => {
    const answer = await door.visitor().send('POST', '/api/accounts', { body: { developerType, ...parts } });
    expect(missing(bodyOf(answer))).toEqual(each(...fields));
  });

  it('takes the new password twice, alike', async () => {
    const body = { ...aForm(), passwordConfirmation: 'another lantern maps it', botCheck: 'x' };
    const answer = bodyOf(await door.visitor().send('POST', '/api/accounts', { body }));
    expect(answer.errors).toMatchObject([{ pointer: '/passwordConfirmation', code: 'invalid' }]);
  });
});

describe('a login', () => {
  it('asks for e-mail address or user name, password and the bot check', async () => {
    const answer = await door.visitor().send('POST', '/api/session', { body: {} });
    expect(missing(bodyOf(answer))).toEqual(each('identifier', 'password', 'botCheck'));
  });

  it('takes the e-mail address or the user name, and asks a browser it does not know for a code', async () => {
    const username = `dana.${crypto.randomUUID().slice(0, 8)}`;
    const { form, accountId } = await aDeveloper(door, { ...aForm(), ...{ username } });
    const { visitor, answer } = await signIn(door, form.email, form.password);
    const { next, channel } = bodyOf(answer);
    expect(next).toBe('code');
    const code = await door.codeTo(channel === 'sms' ? form.mobilePhone : form.email, 1);
    const entered = await visitor.send('POST', '/api/session/code', { body: { code } });
    const again = await signIn(door, username, form.password, visitor);
    for (const got of [entered, again.answer]) {
      expect(bodyOf(got)).toMatchObject({ next: 'signed_in', account: { accountId } });
    }
  });
});

describe('an application', () => {
  let dana: Developer;
  beforeAll(async () => {
    dana = await aDeveloper(door);
  });
  const post = async (path: string, body: object) =>
    bodyOf(await dana.visitor.send('POST', `/api/applications${path}`, { body }));
  const credentials = async (id: string, environment: 'sandbox' | 'production') => {
    const body = { password: dana.form.password };
    const shown = await post(`/${id}/credentials/${environment}`, body);
    const first = (list: unknown) => (list as readonly { readonly value: string }[])[0]?.value ?? '';
    return {
      clientId: String(shown.clientId),
      clientSecret: first(shown.secrets),
      subscriptionKey: first(shown.subscriptionKeys),
    };
  };

  it('asks for just what is required', async () => {
    const described = [
      ...['applicationName', 'applicationType', 'grantType', 'responseType', 'tokenEndpointAuthMethod'],
      ...['products', 'applicationUri', 'loginInitiateUri', 'loginRedirectUris', 'logoutRedirectUri'],
      ...['privacyUri', 'tosUri', 'contactEmail', 'supportPhone'],
    ];
    const beyond = ['linesOfBusiness', 'pkce'];
    const fields = [...described, ...beyond].map((name) => `configuration/${name}`);
    expect(missing(await post('', { configuration: {} }))).toEqual(each(...fields));
  });

  it('keeps what may be left out: display name, description, address of attestation certificates', async () => {
    const optional = {
      displayName: 'Sunrise',
      description: 'Shows claims.',
      attestationCertsUri: 'https://sunrise-health.org/certs',
    };
    const { applicationId } = await anApplication(dana, optional);
    const read = bodyOf(await dana.visitor.send('GET', `/api/applications/${applicationId}`));
    expect(read.sandbox).toMatchObject({ configuration: aConfiguration(optional) });
  });

  it('is warned of at the member’s login until its developer has read and ticked the attestation', async () => {
    const { applicationId: id, version } = await anApplication(dana);
    const shown = await credentials(id, 'sandbox');
    const warning = 'Be careful with this app';
    const consent = async () => {
      const browser = createBrowser(http, redirectUri);
      const signInPage = await browser.open(runApplication('sandbox', 'DSNP', shown).authorizationUrl());
      const { memberId, password } = memberOf('sandbox', 'DSNP');
      const at = await browser.submit(
        signInPage,
        { 'Member ID or e-mail': memberId, Password: password },
        'Sign in',
      );
      return at.kind === 'page' ? at.page.text : '';
    };
    expect(await consent()).toContain(warning);
    const attestation = { version, textVersion: '2026-11-22', scrolledToEnd: true, accepted: true };
    for (const part of ['scrolledToEnd', 'accepted']) {
      const refused = await post(`/${id}/attestation`, { ...attestation, [part]: false });
      expect(refused.errors).toMatchObject([{ pointer: `/${part}` }]);
    }
    expect(await post(`/${id}/attestation`, attestation)).not.toHaveProperty('code');
    const after = await consent();
    expect(after).toContain('Share my data');
    expect(after).not.toContain(warning);
  });

  it('goes from the sandbox to production, and calls production once it is approved and no sooner', async () => {
    const registered = await anApplication(dana);
    const id = registered.applicationId;
    expect(registered.state).toBe('registered_in_sandbox');
    expect(await post(`/${id}/promote`, { version: registered.version })).toMatchObject({ status: 409 });

    const sandbox = runApplication('sandbox', 'DSNP', await credentials(id, 'sandbox'));
    expect(await sandbox.read(await sandbox.token())).toBe(200);
    const promoted = (await post(`/${id}/promote`, { version: registered.version })) as Registered;
    expect(promoted.state).toBe('promoted_to_production');

    const shown = await credentials(id, 'production');
    const production = runApplication('production', 'DSNP', shown);
    const isRefused = async () => {
      await expect(production.token()).rejects.toThrow();
      expect(await machineStatus(shown)).toBe(403);
    };
    await isRefused();
    const submitted = await post(`/${id}/submit`, { version: promoted.version });
    expect(submitted.state).toBe('awaiting_operator_approval');
    await isRefused();

    await ops(systemFile(), 'apps', 'approve', id, '--version', String(submitted.version));
    expect(await production.read(await production.token())).toBe(200);
  });
});

/** The status with which production's machine-to-machine host answers a subscription key. */
async function machineStatus({ subscriptionKey }: { readonly subscriptionKey: string }): Promise<number> {
  const { status } = await http({
    method: 'POST',
    url: `http://token.production.localhost:${runningSystem().port}/token/v2`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-api-subscription-key': subscriptionKey,
    },
    body: 'grant_type=client_credentials',
  });
  return status;
}
