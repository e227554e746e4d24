import { randomInt, randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createInvoke } from '../../ops/command-line/invoke.ts';
import { patient, representative } from '../loads/drop-rows.ts';
import { openChromium } from '../support/chromium.ts';
import { beginActivation, finishActivation } from './activation-pages.ts';
import { loadDrop } from './drops.ts';
import { originsOf, runningSystem } from './journey.ts';
import {
  type AppHost,
  type CalledBackApp,
  expectAccessible,
  registerApp,
  signIn,
  startAppHost,
} from './pages-browser.ts';

/** A mother, who is a member herself, shares her child's data: she signs in with her own account, and pages, tokens and audit name both. */

const lob = 'EGWP';
const number = randomInt(10 ** 8, 10 ** 9);
const mother = {
  memberId: `EGWP${number}`,
  patientId: randomUUID(),
  password: 'seven blue herons by the mill',
};
const child = { memberId: `EGWP${number}C`, patientId: `child-${number}` };
const guardian = { personId: `R${number}`, email: `guardian.${number}@example.com` };
const phone = { viewport: { width: 390, height: 844 } };
let browser: Browser;
let host: AppHost;
let app: CalledBackApp;
beforeAll(async () => {
  [browser, host] = await Promise.all([openChromium(), startAppHost()]);
  app = await registerApp(lob, 'Blue Steps', host);
  await loadMother();
  await loadDrop(lob, {
    Patient: [patient(child.patientId, child.memberId, { lob })],
    Parameters: [
      representative(child.patientId, mother.memberId),
      representative(child.patientId, guardian.personId, { role: 'GUARD', email: guardian.email }),
    ],
  });
});
afterAll(async () => {
  await browser.close();
  host.close();
});

async function loadMother(): Promise<void> {
  const { memberId, patientId, password } = mother;
  const meta = { versionId: '1', lastUpdated: '2026-02-01T10:00:00Z' };
  const content = { resourceType: 'Patient', id: patientId, meta, birthDate: '1985-04-02' };
  const system = runningSystem();
  const answer = await createInvoke(system)(system.functions.sandbox.ingest, {
    ...{ lob, patientId, memberId, password, givenName: 'Mia', familyName: 'Sampleton' },
    ...{ email: `mia.${number}@example.com`, phoneNumber: '+12025550123' },
    resources: [{ ...meta, resourceType: 'Patient', id: patientId, json: JSON.stringify(content) }],
  });
  expect(answer).toMatchObject({ kind: 'loaded' });
}

/** Audit events of the child's record. */
async function eventsOfChild(): Promise<readonly Record<string, unknown>[]> {
  const { awsEndpoint: endpoint, region, credentials, outputs = {} } = runningSystem();
  const [, TableName] =
    Object.entries(outputs['sandbox-Data'] ?? {}).find(([name]) => /^ExportsOutputRefTable/.test(name)) ?? [];
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': `AUDIT#${lob}#PATIENT#${child.patientId}` },
    }),
  );
  return Items;
}

const mainText = async (page: Page) => (await page.getByRole('main').textContent()) ?? '';

it('a representative signs in as herself, chooses the child, and consent, grant, connected apps and audit name both', async () => {
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  await page.goto(app.authorizationUrl());
  await signIn(page, mother);
  await expectAccessible(page, 'patient phone');
  expect(await mainText(page)).toContain('We have you on file as their parent.');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('Select the person');
  await page.getByLabel('Ada Sampleton').check();
  await page.getByRole('button', { name: 'Continue' }).click();

  await expectAccessible(page, 'consent of a representative phone');
  expect(await mainText(page)).toContain('Share Ada Sampleton’s data with Blue Steps?');
  expect(await mainText(page)).toContain('You are signed in as Mia Sampleton');
  await page.getByRole('button', { name: 'Share Ada Sampleton’s data' }).click();
  await page.waitForURL((url) => url.searchParams.has('code'));
  const read = await app.reader(new URL(page.url()));
  expect(await read(child.patientId)).toBe(200);
  expect(await read(mother.patientId)).toBe(404);

  await page.goto(`${originsOf('sandbox').auth}/fhir-oauth2/sec/egwp/connected-apps`);
  await signIn(page, mother);
  await expectAccessible(page, 'connected apps of a representative phone');
  await expect
    .poll(() => page.locator('section', { hasText: 'Blue Steps' }).textContent())
    .toContain('Ada Sampleton');
  const created = (await eventsOfChild()).filter(({ action }) => action === 'grant.create');
  expect(created).toMatchObject([{ patientId: child.patientId, representativeId: mother.memberId }]);
  expect(created[0]?.actor).toMatch(/^[\w-]{36}$/);

  await page.getByRole('link', { name: /^Stop sharing with/ }).click();
  await page.getByRole('button', { name: 'Stop sharing' }).click();
  await page.getByRole('status').waitFor();
  expect(await read(child.patientId)).toBe(401);
  await context.close();
});

it('a guardian who is no member activates an account by e-mail, and shares the child’s data', async () => {
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  await page.goto(app.authorizationUrl());
  const { personId: memberId, email } = guardian;
  const code = await beginActivation(page, { memberId, email }, '1985-04-02');
  await finishActivation(page, { code, password: 'seven blue herons by the mill' });
  expect(await mainText(page)).toContain('Share Ada Sampleton’s data with Blue Steps?');
  await page.getByRole('button', { name: 'Share Ada Sampleton’s data' }).click();
  await page.waitForURL((url) => url.searchParams.has('code'));
  const read = await app.reader(new URL(page.url()));
  expect(await read(child.patientId)).toBe(200);
  const created = (await eventsOfChild()).filter(({ action }) => action === 'grant.create');
  expect(created).toContainEqual(expect.objectContaining({ representativeId: guardian.personId }));
  await context.close();
});

it('in Spanish, on a wide screen and by keyboard', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'es-US' });
  const page = await context.newPage();
  await page.goto(app.authorizationUrl());
  await signIn(page, mother, {
    username: 'Número de miembro o correo electrónico',
    password: 'Contraseña',
    signIn: 'Iniciar sesión',
    share: 'Compartir mis datos',
  });
  await expectAccessible(page, 'patient español');
  await page.getByRole('radio').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/consent/);
  expect(await mainText(page)).toContain('Ada Sampleton');
  await context.close();
});
