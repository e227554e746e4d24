import { authorizationServerEndpoints, machineTokenEndpoint } from '../../../lambdas/catalog/addresses.ts';
import type { ApplicationConfiguration } from '../../../lambdas/portal/api/applications.ts';
import type { CredentialsView } from '../../../lambdas/portal/api/views.ts';
import { type Exchange, jsonOf, send, sendUntilThrottled } from './exchange.ts';
import { type BrowserSigningKey, signAssertion } from './signing-key-model.ts';
import {
  type Attempt,
  type HttpCall,
  machineTokenCall,
  metadataCalls,
  type Origins,
  patientCall,
  revocationCall,
  type SandboxClient,
  tokenCall,
} from './try-model.ts';

/** One thing that was done and what it teaches. */
export interface LessonStep {
  readonly exchange: Exchange;
  readonly lesson: string;
}

type Tell = (step: LessonStep) => void;
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

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

/** Makes a client assertion for an endpoint; absent where the application has a secret, or is public. */
export type Sign = (audience: string) => Promise<string>;

export function signerOf(key: BrowserSigningKey | undefined, clientId: string): Sign | undefined {
  return key === undefined ? undefined : (audience) => signAssertion(key, clientId, audience, Date.now());
}

async function proven(
  client: SandboxClient,
  sign: Sign | undefined,
  audience: string,
): Promise<SandboxClient> {
  return sign === undefined ? client : { ...client, assertion: await sign(audience) };
}

/** The exchange of the code and the reads after it, told step by step as they are answered. */
export async function runLesson(
  {
    origins,
    attempt,
    client,
    code,
    sign,
  }: {
    readonly origins: Origins;
    readonly attempt: Attempt;
    readonly client: SandboxClient;
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
}

function tokenWords({ lesson }: Attempt): string {
  return lesson === 'expired-token'
    ? 'The token is here, and lives for one second: the request asked for that with expires_in.'
    : 'The code became an access token. `patient` names whose data it opens, `scope` what was granted, `expires_in` for how many seconds.';
}

function refusedToken(exchange: Exchange, { method }: SandboxClient): string {
  const { answer } = exchange;
  if (answer === undefined)
    return 'No answer came. Check that the sandbox is up on the status page, and try again.';
  if (method === 'private_key_jwt' && jsonOf(exchange).error === 'invalid_client') {
    return 'The token endpoint did not take the assertion. Is the public key registered, or published at your JWKS URI? The sandbox reads that address again once a minute. Is the clock of this computer right? An assertion of another time is refused.';
  }
  return 'The token endpoint refused. `error` is a code of RFC 6749 section 5.2 and `error_description` says what was expected. A code works once and for 60 seconds: begin again if it took longer.';
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
  'This is the member’s Patient resource. Every call needs both headers: the token says whose data, the subscription key which application.';

/** API Gateway knows a new application's key after some minutes. */
const notKnownYet =
  'The gateway may not know the application yet: after a registration it can take some minutes until every part of it does. Wait a minute and try again.';

const lessonsAfter: Readonly<Record<Attempt['lesson'], (after: After) => Promise<void>>> = {
  plain: async ({ read, tell }) => {
    const exchange = await send(read());
    const { status } = exchange.answer ?? {};
    tell({ exchange, lesson: status === 200 ? works : status === 403 ? notKnownYet : unexpected });
  },
  'expired-token': async ({ read, tell }) => {
    await wait(2000);
    const exchange = await send(read());
    tell({
      exchange,
      lesson:
        'An expired token is answered with 401 and `WWW-Authenticate: Bearer error="invalid_token"`. Use the refresh token, or send the member through sign-in again.',
    });
  },
  'revoked-grant': async ({ origins, attempt, client, sign, accessToken, read, tell }) => {
    tell({ exchange: await send(read()), lesson: 'Before the revocation the read works.' });
    const endpoint = authorizationServerEndpoints(origins, attempt.lob).revocation;
    const proof = await proven(client, sign, endpoint);
    tell({
      exchange: await send(revocationCall(origins, attempt.lob, proof, accessToken)),
      lesson: 'The grant has ended, and every token of it. A member does the same under “connected apps”.',
    });
    tell({
      exchange: await send(read()),
      lesson:
        'The token itself has not run out, but the access it was issued for has ended: 401. Delete what you hold of the token and ask the member again.',
    });
  },
  throttling: async ({ read, tell }) => {
    const { sent, last } = await sendUntilThrottled(read());
    tell({
      exchange: last,
      lesson:
        last.answer?.status === 429
          ? `After ${sent} reads at once the gateway said 429. Wait as many seconds as \`Retry-After\` says, then go on more slowly.`
          : `${sent} reads at once were all answered: this sandbox’s limit is higher than that.`,
    });
  },
  'partial-birth-date': async ({ read, tell }) => {
    const json = await send(read());
    tell({
      exchange: json,
      lesson: `As \`application/json\`, an unknown month or day is 00. This answer says \`${birthDateOf(json)}\`.`,
    });
    const fhir = await send(read('application/fhir+json'));
    tell({
      exchange: fhir,
      lesson: `As \`application/fhir+json\`, what nobody knows is left out, which is valid FHIR. This answer says \`${birthDateOf(fhir)}\`.`,
    });
  },
};

function birthDateOf(exchange: Exchange): string {
  return `"birthDate": ${JSON.stringify(jsonOf(exchange).birthDate)}`;
}

const unexpected =
  'That was not what we expected. The answer’s `diagnostics` says why; the log of calls shows it too.';

/** The same for an application without a member: a token, then the metadata of its products. */
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
    lesson: 'The token is your application’s own: no member is behind it. Get a new one when it has expired.',
  });
  const credentials = { accessToken, subscriptionKey: client.subscriptionKey };
  for (const metadata of metadataCalls(origins, lob, products, credentials)) {
    const exchange = await send(metadata);
    tell({
      exchange,
      lesson:
        exchange.answer?.status === 200
          ? 'The CapabilityStatement says what this interface can do on this line of business.'
          : unexpected,
    });
  }
}
