/** Runs the steps of the guided first call: sends their requests and explains the responses. */

import { authorizationServerEndpoints, machineTokenEndpoint } from '../../../lambdas/catalog/addresses.ts';
import { type Interface, offers } from '../../../lambdas/catalog/interface-families.ts';
import type { ApplicationConfiguration } from '../../../lambdas/portal/api/applications.ts';
import type { CredentialsView } from '../../../lambdas/portal/api/views.ts';
import { type Exchange, jsonOf, send, sendUntilThrottled } from './exchange.ts';
import type { HttpCall } from './http-call.ts';
import type { BrowserSigningKey } from './signing-key-model.ts';
import {
  type Attempt,
  machineTokenCall,
  type Origins,
  type OwnCredentials,
  ownCall,
  patientCall,
  revocationCall,
  type SandboxClient,
  tokenCall,
} from './try-model.ts';
import { workbenchCall } from './workbench-model.ts';

/** A request with its response, and what it shows. */
export interface LessonStep {
  readonly exchange: Exchange;
  readonly lesson: string;
  /** Whether the exchange is of an earlier visit, and without its secrets. */
  readonly kept?: true;
}

type Tell = (step: LessonStep) => void;
export const waitFor = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export function clientOf(
  credentials: CredentialsView,
  method: ApplicationConfiguration['tokenEndpointAuthMethod'],
): SandboxClient {
  return {
    clientId: credentials.clientId,
    method,
    secret: credentials.secrets[0]?.value,
    subscriptionKey: credentials.subscriptionKeys[0]?.value ?? '',
  };
}

/** Makes a client assertion for an endpoint. Undefined for an application with a secret, and for a public application. */
export type Sign = (audience: string) => Promise<string>;

export function signerOf(key: BrowserSigningKey | undefined, clientId: string): Sign | undefined {
  if (key === undefined) return undefined;
  return async (audience) => {
    const { signAssertion } = await import('./signing-key-model.ts');
    return await signAssertion(key, clientId, audience, Date.now());
  };
}

/** The client with a proof of its identity for one request. */
export async function proven(
  client: SandboxClient,
  sign: Sign | undefined,
  audience: string,
): Promise<SandboxClient> {
  return sign === undefined ? client : { ...client, assertion: await sign(audience) };
}

/** Redeems the code and reads data with the token; reports each step as soon as its response is there. */
export async function runLesson(
  {
    origins,
    attempt,
    client,
    products,
    code,
    sign,
  }: {
    readonly origins: Origins;
    readonly attempt: Attempt;
    readonly client: SandboxClient;
    readonly products: readonly Interface[];
    readonly code: string;
    readonly sign?: Sign | undefined;
  },
  tell: Tell,
): Promise<void> {
  const endpoint = authorizationServerEndpoints(origins, attempt.lob).token;
  const token = await send(tokenCall(origins, attempt, await proven(client, sign, endpoint), code));
  const { access_token: accessToken, patient } = jsonOf(token);
  if (typeof accessToken !== 'string' || typeof patient !== 'string') {
    tell({ exchange: token, lesson: refusedToken(token, client) });
    return;
  }
  tell({ exchange: token, lesson: tokenWords(attempt) });
  const read = (accept?: string) =>
    patientCall(
      origins,
      attempt.lob,
      patient,
      { accessToken, subscriptionKey: client.subscriptionKey },
      accept,
    );
  await lessonsAfter[attempt.lesson]({ origins, attempt, client, sign, accessToken, read, tell });
  // Included because production requires a sandbox call of each product.
  if (attempt.lesson === 'plain' && products.includes('provider-directory'))
    await runOwnCalls(
      { origins, lob: attempt.lob, products: ['provider-directory'], credentials: client },
      tell,
    );
}

function tokenWords({ lesson }: Attempt): string {
  return lesson === 'expired-token'
    ? 'The response contains the token. It is valid for one second, because the request sent expires_in.'
    : 'The response contains an access token. `patient` is the ID of the member’s Patient, `scope` is the granted scope, and `expires_in` is the lifetime in seconds.';
}

function refusedToken(exchange: Exchange, { method }: SandboxClient): string {
  const { answer } = exchange;
  if (answer === undefined) return 'There was no response. Check the status page, then try again.';
  if (method === 'private_key_jwt' && jsonOf(exchange).error === 'invalid_client') {
    return 'The token endpoint refused the assertion. Check that the public key is registered, or published at your JWKS URI. The sandbox reads that address once a minute. Also check the clock of this computer, because an assertion with an incorrect time is refused.';
  }
  return 'The token endpoint refused the request. `error` is a code of RFC 6749 section 5.2, and `error_description` says what was expected. A code works once, within 60 seconds. If it took longer, start over.';
}

interface After {
  readonly origins: Origins;
  readonly attempt: Attempt;
  readonly client: SandboxClient;
  readonly sign: Sign | undefined;
  readonly accessToken: string;
  readonly read: (accept?: string) => HttpCall;
  readonly tell: Tell;
}

const works =
  'This is the member’s Patient resource. Every call needs both headers. The token identifies the member, and the subscription key identifies the application.';

/** API Gateway may accept a new application's key only after some minutes. */
const notKnownYet =
  'The gateway may not know the application yet. This can take a few minutes after registration. Wait a minute and try again.';

const lessonsAfter: Readonly<Record<Attempt['lesson'], (after: After) => Promise<void>>> = {
  plain: async ({ read, tell }) => {
    const exchange = await send(read());
    const { status } = exchange.answer ?? {};
    tell({ exchange, lesson: status === 200 ? works : status === 403 ? notKnownYet : unexpected });
  },
  'expired-token': async ({ read, tell }) => {
    await waitFor(2000);
    const exchange = await send(read());
    tell({
      exchange,
      lesson:
        'An expired token returns 401 with `WWW-Authenticate: Bearer error="invalid_token"`. Use the refresh token, or have the member sign in again.',
    });
  },
  'revoked-grant': async ({ origins, attempt, client, sign, accessToken, read, tell }) => {
    tell({ exchange: await send(read()), lesson: 'The read works before the revocation.' });
    const endpoint = authorizationServerEndpoints(origins, attempt.lob).revocation;
    const proof = await proven(client, sign, endpoint);
    tell({
      exchange: await send(revocationCall(origins, attempt.lob, proof, accessToken)),
      lesson:
        'The grant and all its tokens have ended. A member can do the same under “Apps and plans you share with”.',
    });
    tell({
      exchange: await send(read()),
      lesson:
        'The token has not expired, but its grant has ended, so the response is 401. Delete the token and ask the member to consent again.',
    });
  },
  throttling: async ({ read, tell }) => {
    tell(await throttledStep(read()));
  },
  'category-not-shared': async ({ origins, attempt, client, accessToken, tell }) => {
    const asked = { product: 'patient-access', method: 'GET', path: 'DocumentReference?_count=5' } as const;
    const token = { accessToken, subscriptionKey: client.subscriptionKey };
    const exchange = await send(workbenchCall(origins, attempt.lob, asked, token));
    tell({
      exchange,
      lesson:
        exchange.answer?.status === 403
          ? 'The member did not share documents, so `scope` of the token response has no DocumentReference, and the search is refused. Offer the member to share more, by another authorization request.'
          : 'The member shared documents this time. Get a fresh code, and leave “Your notes and documents” unchecked.',
    });
  },
  'partial-birth-date': async ({ read, tell }) => {
    const json = await send(read());
    tell({
      exchange: json,
      lesson: `In \`application/json\`, an unknown month or day is 00. This response has \`${birthDateOf(json)}\`.`,
    });
    const fhir = await send(read('application/fhir+json'));
    tell({
      exchange: fhir,
      lesson: `In \`application/fhir+json\`, an unknown month or day is omitted, as FHIR requires. This response has \`${birthDateOf(fhir)}\`.`,
    });
  },
};

/** Sends a call many times at once until the gateway refuses one. */
export async function throttledStep(call: HttpCall): Promise<LessonStep> {
  const { sent, last } = await sendUntilThrottled(call);
  return {
    exchange: last,
    lesson:
      last.answer?.status === 429
        ? `The gateway returned 429 after ${sent} simultaneous calls. Wait the number of seconds in \`Retry-After\`, then send fewer calls.`
        : `The gateway refused none of ${sent} calls. In 20 seconds your browser sent fewer than the limit of this sandbox allows.`,
  };
}

function birthDateOf(exchange: Exchange): string {
  return `"birthDate": ${JSON.stringify(jsonOf(exchange).birthDate)}`;
}

const unexpected =
  'The response is not the expected one. See `diagnostics` in the response, or the call log.';

/** Calls, without a member's token, each of the given products that the LOB offers, and explains the responses. */
export async function runOwnCalls(
  {
    origins,
    lob,
    products,
    credentials,
  }: {
    readonly origins: Origins;
    readonly lob: Attempt['lob'];
    readonly products: readonly Interface[];
    readonly credentials: OwnCredentials;
  },
  tell: Tell,
): Promise<void> {
  for (const product of products.filter((each) => offers(lob, each))) {
    const exchange = await send(ownCall(origins, lob, product, credentials));
    tell({ exchange, lesson: ownCallWords(product, exchange.answer?.status) });
  }
}

const ownCallWorks: Readonly<Record<Interface, string>> = {
  'patient-access':
    'The CapabilityStatement lists what this interface supports for this line of business. A back-end service reads no member’s data here.',
  'payer-access':
    'The Bundle has the groups of members that were matched for your organization. It is empty before the first match.',
  'provider-directory':
    'The directory has no member data, so the call needs the subscription key only. The key identifies your application.',
};

function ownCallWords(product: Interface, status: number | undefined): string {
  if (status === 200) return ownCallWorks[product];
  return product === 'payer-access' && status === 403
    ? 'Payer Access answers once an operator has verified your organization’s identifiers. Ask us to verify them, then try again with a new token.'
    : status === 403
      ? notKnownYet
      : unexpected;
}

/** Runs the guided first call of a back-end service: gets a token, then calls each of its products. */
export async function runMachineLesson(
  {
    origins,
    client,
    scope,
    lob,
    products,
    sign,
  }: {
    readonly origins: Origins;
    readonly client: SandboxClient;
    readonly scope: string;
    readonly lob: Attempt['lob'];
    readonly products: ApplicationConfiguration['products'];
    readonly sign?: Sign | undefined;
  },
  tell: Tell,
): Promise<void> {
  const proof = await proven(client, sign, machineTokenEndpoint(origins));
  const token = await send(machineTokenCall(origins, proof, scope));
  const { access_token: accessToken } = jsonOf(token);
  if (typeof accessToken !== 'string') {
    tell({ exchange: token, lesson: refusedToken(token, client) });
    return;
  }
  tell({
    exchange: token,
    lesson: 'The token belongs to your application, without a member. Request a new token when it expires.',
  });
  const credentials = { accessToken, subscriptionKey: client.subscriptionKey };
  await runOwnCalls({ origins, lob, products, credentials }, tell);
}
