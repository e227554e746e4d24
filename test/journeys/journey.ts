import { randomUUID } from 'node:crypto';
import type { Environment } from '../../lambdas/catalog/environments.ts';
import { interfaceNames, offers } from '../../lambdas/catalog/fhir/interfaces.ts';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import type {
  Credentials,
  ProvisioningRequest,
} from '../../lambdas/clients/provisioning/provisioning-contract.ts';
import type { ClientRegistration } from '../../lambdas/clients/provisioning/registration-contract.ts';
import { createInvoke } from '../../ops/command-line/invoke.ts';
import { type LocalSystem, localOrigins, readLocalSystem } from '../../ops/command-line/system.ts';
import { type Browser, createBrowser, type Location } from '../../ops/demo/browser.ts';
import { type SyntheticMember, syntheticMembers } from '../../ops/generator/members.ts';
import { createHttp, fetchOver } from '../../ops/http/client.ts';
import { sensitiveBoxes } from '../support/member-token.ts';
import { systemFile } from './system-file.ts';

/** Access to the running system as an operator, an app and a member's browser have it. */

export const http = createHttp();
/** A `fetch` for client libraries that resolves `*.localhost`. */
export const localFetch = fetchOver(http);

/** Repeats a request as the documentation says, after the seconds of `Retry-After`. */
export async function patiently(send: () => Promise<Response>): Promise<Response> {
  const answer = await send();
  if (answer.status !== 429) return answer;
  await new Promise((resolve) => setTimeout(resolve, Number(answer.headers.get('retry-after')) * 1000));
  return await patiently(send);
}

export function runningSystem(): LocalSystem {
  const system = readLocalSystem(systemFile());
  if (system === undefined) throw new Error('the system the journeys run against is gone');
  return system;
}

export function originsOf(environment: Environment) {
  return localOrigins(runningSystem(), environment);
}

export const redirectUri = 'https://app.example.org/callback';

/** A typical registration of an app for one LOB. */
export function registrationOf(
  lob: LineOfBusiness,
  changes: Partial<ClientRegistration> = {},
): ClientRegistration {
  return {
    clientName: 'Journey app',
    grantTypes: ['authorization_code', 'client_credentials'],
    tokenEndpointAuthMethod: 'client_secret_basic',
    linesOfBusiness: [lob],
    products: interfaceNames.filter((name) => offers(lob, name)),
    redirectUris: [redirectUri],
    attested: true,
    pkceRequired: true,
    tier: 'standard',
    ...changes,
  };
}

/** Registers an app through the environment's provisioning function, as the portal and the operator do. */
export async function register(
  environment: Environment,
  registration: ClientRegistration,
): Promise<Credentials & { readonly clientSecret: string }> {
  const answer = (await provision(environment, {
    action: 'register',
    requestId: randomUUID(),
    registration,
  })) as { kind: string; credentials: Credentials };
  if (answer.kind !== 'credentials')
    throw new Error(`the registration was refused: ${JSON.stringify(answer)}`);
  return { ...answer.credentials, clientSecret: answer.credentials.clientSecret ?? '' };
}

export async function provision(environment: Environment, request: ProvisioningRequest): Promise<unknown> {
  const system = runningSystem();
  return await createInvoke(system)(system.functions[environment].provisioning, request);
}

export function memberOf(environment: Environment, lob: LineOfBusiness, index = 0): SyntheticMember {
  const member = syntheticMembers(environment).filter((each) => each.lob === lob)[index];
  if (member === undefined) throw new Error(`no member ${index} of ${lob} in ${environment}`);
  return member;
}

/**
 * Signs in at the address, and shares or declines.
 *
 * @returns the redirect to the app
 */
export async function decide(
  authorizationUrl: string,
  member: SyntheticMember,
  button: 'Share my data' | "Don't share" = 'Share my data',
  redirect = redirectUri,
): Promise<URL> {
  const browser = createBrowser(http, redirect);
  return await answerPages(browser, await browser.open(authorizationUrl), member, button);
}

/** Does the same from an open sign-in page on, in a given browser. */
export async function answerPages(
  browser: Browser,
  signIn: Location,
  member: SyntheticMember,
  button: 'Share my data' | "Don't share" = 'Share my data',
): Promise<URL> {
  const consent = await browser.submit(
    signIn,
    { 'Member ID or e-mail': member.memberId, Password: member.password },
    'Sign in',
  );
  const back = await browser.submit(consent, sensitiveBoxes(consent), button);
  if (back.kind !== 'app') throw new Error(`the app was not called back: ${back.page.text.slice(0, 300)}`);
  return new URL(back.url);
}
