import { beforeAll, describe, expect, it } from 'vitest';
import { runningSystem } from './journey.ts';
import {
  aConfiguration,
  aDeveloper,
  aForm,
  anApplication,
  type Body,
  bodyOf,
  type Developer,
  type Door,
  portalDoor,
  type Registered,
} from './portal-door.ts';

/** Invalid values of fields. The API checks them, whatever the browser has checked. */

let door: Door;
let dana: Developer;
let application: Registered;
beforeAll(async () => {
  door = portalDoor(runningSystem());
  dana = await aDeveloper(door);
  application = await anApplication(dana);
});

async function register(configuration: object, more: object = {}): Promise<Body> {
  return bodyOf(await dana.visitor.send('POST', '/api/applications', { body: { configuration, ...more } }));
}
const errorsOf = ({ code, errors }: Body) => {
  expect(code).toBe('invalid_request');
  return (errors ?? []).map(({ pointer, code: kind }) => `${pointer} ${kind}`);
};

/** Members of an account or an application that only the portal may set. */
const smuggled = [
  'state',
  'approved',
  'owner',
  'teamId',
  'role',
  'accountId',
  'applicationId',
  'createdBy',
  'decoy',
  'sessionEpoch',
  'phoneVerified',
  'attestation',
  'constructor',
  'pk',
];

describe('a field that nobody may set', () => {
  it('is refused by its name at sign-up', async () => {
    const body = {
      ...aForm(),
      ...Object.fromEntries(smuggled.map((name) => [name, 'approved'])),
      botCheck: 'x',
    };
    const answer = bodyOf(await door.visitor().send('POST', '/api/accounts', { body }));
    expect(errorsOf(answer).sort()).toEqual(smuggled.map((name) => `/${name} unknown_field`).sort());
  });

  it('is refused by its name in an account', async () => {
    const body = { firstName: 'A', lastName: 'B', ...Object.fromEntries(smuggled.map((name) => [name, 1])) };
    const answer = bodyOf(await dana.visitor.send('PATCH', '/api/account', { body }));
    expect(errorsOf(answer).sort()).toEqual(smuggled.map((name) => `/${name} unknown_field`).sort());
    expect(bodyOf(await dana.visitor.send('GET', '/api/account'))).toMatchObject({
      firstName: 'Dana',
      role: 'developer',
    });
  });

  it('is refused by its name in an application, and around it', async () => {
    const extra = Object.fromEntries(smuggled.map((name) => [name, 'approved']));
    expect(errorsOf(await register({ ...aConfiguration(), ...extra })).sort()).toEqual(
      smuggled.map((name) => `/configuration/${name} unknown_field`).sort(),
    );
    expect(errorsOf(await register(aConfiguration(), extra)).sort()).toEqual(
      smuggled.map((name) => `/${name} unknown_field`).sort(),
    );
  });

  it('is no version but the one that was read', async () => {
    const path = `/api/applications/${application.applicationId}/sandbox`;
    for (const version of [0, -1, 1.5, '1', null, true, [1], 1e300, undefined]) {
      const body = { version, configuration: aConfiguration() };
      expect(errorsOf(bodyOf(await dana.visitor.send('PUT', path, { body })))[0]).toMatch(/^\/version /);
    }
    const stale = { version: 2 ** 40, configuration: aConfiguration() };
    expect(bodyOf(await dana.visitor.send('PUT', path, { body: stale })).code).toBe('stale_version');
  });
});

const uriFields = [
  'applicationUri',
  'loginInitiateUri',
  'logoutRedirectUri',
  'privacyUri',
  'tosUri',
  'attestationCertsUri',
] as const;

describe('an address', () => {
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'blob:https://app.example.org/1',
    'ftp://app.example.org/',
    '//app.example.org/',
    'app.example.org',
    '/callback',
    'https:app.example.org',
    'https:/app.example.org',
    'https:\\\\app.example.org\\',
    'https://app.example.org\\@evil.example/',
    'https://plan.example@evil.example/',
    'https://plan.example:secret@evil.example/',
    'https://@evil.example/',
    'https://аpp.example.org/',
    'https://app.example.org/ä',
    'https://app。example。org/',
    'https://app.example.org/\u202egpj.exe',
    'https://app.example.org/%zz',
    'https://app.example.org/a/../b',
    'https://app.example.org/%2e%2e/b',
    'https://app.example.org/#fragment',
    'https://app.example.org/ space',
    'https://app.example.org/\r\nSet-Cookie: a=b',
    'https://app.example.org/"><script>',
    'https://app.example.org./',
    'https://app.example.org:443/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    'https://intranet/',
    'http://app.example.org/',
    'http://localhost.evil.example/',
    'http://127.1/',
    `https://app.example.org/${'x'.repeat(2_048)}`,
    '',
  ])('that does not lead where it seems to is refused in every field: %s', async (uri) => {
    const values = Object.fromEntries(uriFields.map((name) => [name, uri]));
    const errors = errorsOf(await register(aConfiguration({ ...values, loginRedirectUris: [uri] })));
    expect(errors.sort()).toEqual(
      [...uriFields, 'loginRedirectUris/0'].map((name) => `/configuration/${name} invalid`).sort(),
    );
  });

  it('in punycode is shown as such, not as what it looks like', async () => {
    const uri = 'https://xn--pple-43d.com/';
    const answer = await register(aConfiguration({ applicationUri: uri }));
    expect(answer).toMatchObject({ sandbox: { configuration: { applicationUri: uri } } });
  });

  it('of this machine is for the sandbox only', async () => {
    const local = {
      loginRedirectUris: ['http://localhost:3000/callback'],
      applicationUri: 'http://127.0.0.1:3000/',
    };
    const { applicationId, version } = (await register(aConfiguration(local))) as Registered;
    const promote = { version, configuration: aConfiguration(local) };
    const answer = bodyOf(
      await dana.visitor.send('POST', `/api/applications/${applicationId}/promote`, { body: promote }),
    );
    expect(errorsOf(answer).sort()).toEqual([
      '/configuration/applicationUri invalid',
      '/configuration/loginRedirectUris/0 invalid',
    ]);
  });

  it('that would answer for the authorization server is no redirect', async () => {
    for (const uri of ['https://app.example.org/?code=1', 'https://app.example.org/?a=1&state=x']) {
      const answer = await register(aConfiguration({ loginRedirectUris: [uri] }));
      expect(errorsOf(answer)).toEqual(['/configuration/loginRedirectUris/0 invalid']);
    }
  });
});

describe('words', () => {
  const hostile = [
    '<script>alert(1)</script>',
    'a\r\nBcc: victim@example.org',
    'a\nb',
    'a\u0000b',
    'a\u202eb',
    'a\u200bb',
    'a\u2028b',
    'a\ufeffb',
    'x'.repeat(200),
    '   ',
  ];

  it.each(hostile)('that hide or reorder others are refused in every line: %j', async (text) => {
    const person = aForm({ firstName: text, lastName: text, company: text });
    const signUp = bodyOf(
      await door.visitor().send('POST', '/api/accounts', { body: { ...person, botCheck: 'x' } }),
    );
    expect(errorsOf(signUp)).toEqual(['/firstName invalid', '/lastName invalid', '/company invalid']);
    const named = await register(aConfiguration({ applicationName: text, displayName: text }));
    expect(errorsOf(named)).toEqual([
      '/configuration/applicationName invalid',
      '/configuration/displayName invalid',
    ]);
  });

  it('of several lines are kept as they are, as JSON and never as a page', async () => {
    const description = 'First line.\n<img src=x onerror=alert(1)> & "quotes"';
    const { applicationId } = (await register(aConfiguration({ description }))) as Registered;
    const answer = await dana.visitor.send('GET', `/api/applications/${applicationId}`);
    expect(bodyOf(answer)).toMatchObject({ sandbox: { configuration: { description } } });
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(errorsOf(await register(aConfiguration({ description: 'a\u202eb' })))).toHaveLength(1);
    expect(errorsOf(await register(aConfiguration({ description: 'a\rb' })))).toHaveLength(1);
  });

  it('reach a mail as words: no header of it is anybody’s to write', async () => {
    const name = 'Sunrise https://evil.example/ Bcc: x@evil.example';
    await register(
      aConfiguration({ applicationName: name, contactEmail: `to.${application.applicationId}@example.org` }),
    );
    const mails = await door.messagesTo(dana.form.email);
    expect(mails.length).toBeGreaterThan(1);
    for (const { subject = '' } of mails) {
      expect(subject).toMatch(
        /^(\d{6} is your code for the developer portal|Your application is registered in the sandbox)$/,
      );
    }
  });
});

describe('an e-mail address', () => {
  it.each([
    'dana@exаmple.org',
    'dаna@example.org',
    'dana@example.org\r\nBcc: x@evil.example',
    'dana@example.org, x@evil.example',
    'dana@example.org;x@evil.example',
    '"dana x"@example.org',
    'Dana <dana@example.org>',
    'dana@[127.0.0.1]',
    'dana@localhost',
    'dana@example.org.',
    'dana@@example.org',
    'dana@example..org',
    'dana＠example.org',
    `${'x'.repeat(250)}@example.org`,
  ])('that could be another’s, or more than one, is refused wherever it is typed: %j', async (email) => {
    const signUp = { ...aForm({ email }), botCheck: 'x' };
    const { password } = dana.form;
    const answers = [
      await door.visitor().send('POST', '/api/accounts', { body: signUp }),
      await door.visitor().send('POST', '/api/password-reset', { body: { email, botCheck: 'x' } }),
      await dana.visitor.send('POST', '/api/account/email', { body: { email, password } }),
      await dana.visitor.send('POST', '/api/team/invitations', { body: { email } }),
    ];
    for (const answer of answers) expect(errorsOf(bodyOf(answer))).toEqual(['/email invalid']);
    expect(errorsOf(await register(aConfiguration({ contactEmail: email })))).toEqual([
      '/configuration/contactEmail invalid',
    ]);
  });
});
