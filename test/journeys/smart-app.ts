import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { dataGroups } from '../../lambdas/catalog/fhir/data-groups.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type { SyntheticMember } from '../../ops/generator/members.ts';
import { register, registrationOf } from './journey.ts';

/** An app whose pages use unmodified fhirclient for everything. */
export interface SmartApp {
  readonly origin: string;
  readonly redirectUri: string;
  stop(): void;
}

export async function startSmartApp(): Promise<SmartApp> {
  const library = readFileSync(
    createRequire(import.meta.url).resolve('fhirclient/build/fhir-client.pure.min.js'),
  );
  const server = createServer((request, response) => {
    if (request.url === '/fhir-client.js') {
      response.setHeader('content-type', 'text/javascript').end(library);
    } else {
      response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><title>An app</title><script src="/fhir-client.js"></script>');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { origin, redirectUri: `${origin}/callback`, stop: () => server.close() };
}

/** Registers the app as a public client of the sandbox. */
export async function registerPublicly(app: SmartApp, lob: LineOfBusiness) {
  return await register(
    'sandbox',
    registrationOf(lob, {
      tokenEndpointAuthMethod: 'none',
      grantTypes: ['authorization_code'],
      redirectUris: [app.redirectUri],
    }),
  );
}

/** Launches the app standalone with the FHIR base as only input; the member signs in and shares everything requested. */
export async function launchAndShare(
  page: Page,
  app: SmartApp,
  {
    iss,
    clientId,
    member,
    scope = 'openid fhirUser launch/patient patient/Patient.rs',
  }: {
    readonly iss: string;
    readonly clientId: string;
    readonly member: SyntheticMember;
    readonly scope?: string;
  },
): Promise<void> {
  await page.goto(`${app.origin}/launch`);
  // The call of an app's launch page. The library is a global variable of the page.
  const options = { iss, clientId, scope, redirectUri: '/callback', pkceMode: 'required' };
  await Promise.all([
    page.waitForURL(/\/fhir-oauth2\/sec\//),
    page.evaluate(`FHIR.oauth2.authorize(${JSON.stringify(options)})`),
  ]);
  await page.getByLabel('Member ID or e-mail').fill(member.memberId);
  await page.getByLabel('Password').fill(member.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Share my data' }).waitFor();
  for (const { words, sensitive } of dataGroups) {
    const box = page.getByLabel(words.en.name);
    if (sensitive && (await box.count()) > 0) await box.check();
  }
  await page.getByRole('button', { name: 'Share my data' }).click();
  await page.waitForURL(/\/callback/);
}

/**
 * Reads the Patient of the launch context.
 *
 * @param headers in addition to those of the library
 */
export async function readOwnPatient(page: Page, headers: Record<string, string> = {}): Promise<unknown> {
  return await page.evaluate(
    `FHIR.oauth2.ready().then((client) => client.request({
      url: 'Patient/' + client.patient.id,
      headers: ${JSON.stringify(headers)},
    }))`,
  );
}
