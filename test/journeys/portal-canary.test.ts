import { randomBytes, randomInt } from 'node:crypto';
import { dirname } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { runningSystem } from './journey.ts';
import {
  aConfiguration,
  aForm,
  anOperator,
  type Body,
  bodyOf,
  type Door,
  portalDoor,
  type Registered,
  signIn,
  terms,
  type Visitor,
} from './portal-door.ts';
import { systemFile } from './system-file.ts';
import { everythingWrittenUntil, writtenSoFar } from './written.ts';

/**
 * Canaries: values of developers, organizations and applications that occur nowhere else. None may be in anything written outside the
 * stores: the output of the runner and the functions, each log, and each file beside the databases.
 */
const canaries = new Map<string, string>();
function keep(what: string, value: unknown): string {
  const text = String(value ?? '');
  if (text.length < 6) throw new Error(`${what} is no canary: ${text}`);
  canaries.set(`${what} ${canaries.size}`, text);
  return text;
}
const canary = (what: string) => keep(what, `canary${randomBytes(8).toString('hex')}`);

const stateDirectory = dirname(systemFile());
const before = writtenSoFar(stateDirectory);
let door: Door;
let lastRequestId = '';
beforeAll(async () => {
  door = portalDoor(runningSystem());
  const { form, visitor } = await developer();
  await strangers(form.email);
  const { applicationId } = await application(visitor, form.password);
  await signInAgain(form.email, form.password);
  await organization();
  await operators(applicationId);
});

/** A new phone number, whose digits occur nowhere by chance. */
function aNumber(): string {
  const digits = `20255${randomInt(10)}${randomInt(1_000, 10_000)}`;
  keep('phone number', digits);
  return digits;
}

function keepCookies({ cookies }: Visitor): void {
  // Cookies with secrets are at least this long; cookies that scripts may read have no secret.
  for (const [name, value] of cookies) if (value.length >= 43) keep(`cookie ${name}`, value);
}

/** Codes that were sent. Six digits also occur in longer numbers by chance, so only whole words are searched for. */
const codes = new Set<string>();
async function code(to: string, after = 0): Promise<string> {
  const value = await door.codeTo(to, after);
  codes.add(value);
  return value;
}

async function developer() {
  const phone = aNumber();
  const form = aForm({
    firstName: canary('first name'),
    lastName: canary('last name'),
    company: canary('company'),
    mobilePhone: phone,
    email: `${canary('e-mail')}@example.org`,
  });
  keep('password', form.password);
  const visitor = door.visitor();
  const botCheck = keep('bot check', await door.botCheck());
  await visitor.send('POST', '/api/accounts', {
    body: { ...form, botCheck, username: `u${canary('user name').slice(6)}` },
    headers: { 'user-agent': canary('user agent') },
  });
  keepCookies(visitor);
  await visitor.send('POST', '/api/account/email-code', { body: { code: await code(form.email) } });
  await visitor.send('POST', '/api/account/phone-code', { body: { code: await code(`+1${phone}`) } });
  const done = bodyOf(await visitor.send('POST', '/api/account/terms', { body: terms }));
  expect(done.state).toBe('active');
  keepCookies(visitor);
  return { form, visitor };
}

/** Sends values that are refused; they must not be logged either. */
async function strangers(email: string): Promise<void> {
  const visitor = door.visitor();
  await visitor.send('POST', '/api/accounts', {
    body: { ...aForm({ email }), botCheck: canary('wrong bot check') },
  });
  await visitor.send('POST', '/api/accounts', { body: `{"${canary('broken body')}` });
  await visitor.send('POST', '/api/accounts', {
    body: { [canary('unknown field')]: canary('unknown value') },
  });
  await signIn(door, canary('unknown name'), canary('wrong password'));
  await signIn(door, email, canary('wrong password'));
  await visitor.send('GET', `/api/${canary('path')}`);
  await visitor.send('GET', `/api/applications/${canary('path value')}`);
  await visitor.send('GET', `/api/operations/accounts/${canary('path value')}?state=${canary('query')}`);
  await visitor.send('GET', `/${canary('page')}?${canary('query')}=${canary('query')}`);
  visitor.cookies.set('__Host-session', keep('unknown session', randomBytes(32).toString('base64url')));
  await visitor.send('GET', '/api/account', {
    headers: { referer: `https://${canary('referer')}.example/` },
  });
}

async function application(visitor: Visitor, password: string): Promise<Registered> {
  const host = `${canary('host')}.example`;
  const uri = (path: string) => `https://${host}/${path}`;
  const configuration = aConfiguration({
    applicationName: canary('application name'),
    description: canary('description'),
    applicationUri: uri(''),
    loginInitiateUri: uri('login'),
    loginRedirectUris: [uri('callback')],
    contactEmail: `${canary('contact')}@example.org`,
    supportPhone: aNumber(),
  });
  const draft = { screen: 'contact', values: { description: canary('draft') } };
  await visitor.send('PUT', '/api/drafts/draft-of-the-canary', { body: draft });
  const answer = await visitor.send('POST', '/api/applications', { body: { configuration } });
  expect(answer.status).toBe(201);
  const made = bodyOf(answer) as Registered;
  const place = `/api/applications/${made.applicationId}/credentials/sandbox`;
  await visitor.send('POST', place, { body: { password: canary('wrong password') } });
  const shown = bodyOf(await visitor.send('POST', place, { body: { password } }));
  keepCookies(visitor);
  for (const { value } of shown.secrets as { value: string }[]) keep('client secret', value);
  for (const { value } of shown.subscriptionKeys as { value: string }[]) keep('subscription key', value);
  for (const [what, name] of [
    ['secret', 'clientSecret'],
    ['key', 'subscriptionKey'],
  ] as const) {
    const body = { requestId: `rotation-${what}`, overlapSeconds: 60 };
    keep(`rotated ${what}`, bodyOf(await visitor.send('POST', `${place}/rotate-${what}`, { body }))[name]);
  }
  const invited = { email: `${canary('invited')}@example.org` };
  await visitor.send('POST', '/api/team/invitations', { body: invited });
  const text = (await door.messagesTo(invited.email))[0]?.text ?? '';
  keep('invitation', /\/invitation#([\w-]+)/.exec(text)?.[1]);
  return made;
}

async function signInAgain(email: string, password: string): Promise<void> {
  const { visitor } = await signIn(door, email, password);
  keepCookies(visitor);
  const body = { email: `${canary('new e-mail')}@example.org`, password };
  await visitor.send('POST', '/api/account/email', { body });
  const reset = { email, botCheck: await door.botCheck() };
  await door.visitor().send('POST', '/api/password-reset', { body: reset });
  const chosen = keep('new password', `quiet orchard ${randomBytes(8).toString('hex')}`);
  await door.visitor().send('POST', '/api/password-reset/confirm', {
    body: { email, code: await code(email, 2), password: chosen, passwordConfirmation: chosen },
  });
}

async function organization(): Promise<void> {
  const domain = `${canary('domain')}.example`;
  const contact = (who: string) => ({
    firstName: canary(`${who}’s name`),
    lastName: canary(`${who}’s name`),
    email: `${canary(`${who}’s e-mail`)}@${domain}`,
    phone: aNumber(),
    designation: canary('designation'),
  });
  const ein = `${randomInt(10, 100)}-${randomInt(1_000_000, 10_000_000)}`;
  keep('EIN', ein);
  keep('EIN without hyphen', ein.replace('-', ''));
  const password = keep('password', `narrow harbour ${randomBytes(8).toString('hex')}`);
  const answer = await door.visitor().send('POST', '/api/accounts', {
    body: {
      developerType: 'brokerage',
      employerIdentificationNumber: ein,
      companyLegalName: canary('legal name'),
      companyEmailDomain: domain,
      hipaaAffirmation: { accepted: true, version: '2026-11-22' },
      companyAddress: {
        street: canary('street'),
        state: 'MD',
        city: canary('city'),
        zipCode: '21201',
        phone: aNumber(),
        websiteUrl: `https://${domain}/`,
      },
      customerServiceEmail: `help@${domain}`,
      customerServicePhone: aNumber(),
      primaryContact: contact('first'),
      secondaryContact: contact('second'),
      password,
      passwordConfirmation: password,
      botCheck: await door.botCheck(),
    },
  });
  expect(answer.status).toBe(201);
}

async function operators(applicationId: string): Promise<void> {
  const operator = await anOperator(door, systemFile());
  keep('operator’s e-mail', operator.email);
  keep('operator’s password', operator.password);
  keepCookies(operator.visitor);
  const shown: Body = bodyOf(
    await operator.visitor.send('GET', `/api/operations/applications/${applicationId}`),
  );
  expect(shown.applicationId).toBe(applicationId);
  const decision = { act: 'approve', version: shown.version, note: canary('note') };
  await operator.visitor.send('POST', `/api/operations/applications/${applicationId}/decisions`, {
    body: decision,
  });
  const last = await operator.visitor.send('GET', '/api/operations/accounts?state=pending_email');
  lastRequestId = String(last.headers['x-request-id']);
}

it('writes nothing of a developer, an organization or an application, and no secret, anywhere but into the stores', async () => {
  const texts = await everythingWrittenUntil(lastRequestId, stateDirectory, before);
  // Checks that the logs of these calls are searched, since a search of nothing would pass too.
  const everything = texts.map(([, text]) => text).join('\n');
  expect(everything).toContain('POST portal.localhost /api/accounts 201');
  const leaks = [...canaries].flatMap(([what, value]) =>
    [value, encodeURIComponent(value), Buffer.from(value).toString('base64').replace(/=+$/, '')].flatMap(
      (form) => texts.filter(([, text]) => text.includes(form)).map(([file]) => `${what} in ${file}`),
    ),
  );
  const worded = [...codes].flatMap((value) =>
    texts
      .filter(([, text]) => new RegExp(`(?<![\\w.-])${value}(?![\\w.-])`).test(text))
      .map(([file]) => `a code in ${file}`),
  );
  expect(canaries.size).toBeGreaterThan(50);
  expect(codes.size).toBeGreaterThan(2);
  expect([...new Set([...leaks, ...worded])]).toEqual([]);
});
