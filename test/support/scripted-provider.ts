import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** An identity provider whose answers are right by default and which a test makes wrong. */
export interface ScriptedProvider {
  readonly issuer: string;
  /** Answers a request instead of the provider and returns true; returns false to leave the provider's own answer. */
  answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Makes the id token of the next token responses. */
  idToken: () => Promise<string>;
  /** Claims of a valid id token. */
  readonly claims: JWTPayload;
  /** Values that replace members of the provider's metadata. */
  readonly metadata: Record<string, unknown>;
  /** Signs claims with the provider's key. */
  sign(claims: JWTPayload): Promise<string>;
  /** The public key of the provider. */
  readonly publicKey: KeyPair['publicKey'];
  /** Makes a new key. The published set then has both keys, as during a rollover, or only the new one. */
  rollOver(): Promise<void>;
  /** Paths that were requested, in order. */
  readonly requested: string[];
  /** Bodies of token requests. */
  readonly tokenRequests: URLSearchParams[];
  readonly authorizations: (string | undefined)[];
  stop(): void;
}

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

export const newKeyPair = async (): Promise<KeyPair> => await generateKeyPair('RS256', { extractable: true });
/** The first key of every provider: making a key takes much of a second on a busy machine. */
let common: Promise<KeyPair> | undefined;

export async function startScriptedProvider(
  clientId: string,
  nonce: string,
  own?: KeyPair,
): Promise<ScriptedProvider> {
  common ??= newKeyPair();
  let pair = own ?? (await common);
  let kid = 'first';
  let keys = [{ ...(await exportJWK(pair.publicKey)), kid, use: 'sig', alg: 'RS256' }];
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const seconds = Math.floor(Date.now() / 1000);
  const scripted: ScriptedProvider = {
    issuer,
    answer: undefined,
    claims: {
      ...{ iss: issuer, sub: 'subject-1', aud: clientId, nonce, plan_member_id: 'DSNP0001' },
      ...{ iat: seconds, exp: seconds + 300, auth_time: seconds - 5 },
    },
    metadata: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      end_session_endpoint: `${issuer}/logout`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      authorization_response_iss_parameter_supported: true,
    },
    idToken: () => scripted.sign(scripted.claims),
    sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(pair.privateKey),
    publicKey: pair.publicKey,
    async rollOver() {
      pair = await newKeyPair();
      kid = 'second';
      keys = [{ ...(await exportJWK(pair.publicKey)), kid, use: 'sig', alg: 'RS256' }];
    },
    requested: [],
    tokenRequests: [],
    authorizations: [],
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    scripted.requested.push(path);
    const json = (value: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (scripted.answer?.(request, response) === true) return;
    if (path.endsWith('/.well-known/openid-configuration')) json(scripted.metadata);
    else if (path === '/jwks') json({ keys });
    else if (path === '/token') {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      request.on('end', async () => {
        scripted.tokenRequests.push(new URLSearchParams(body));
        scripted.authorizations.push(request.headers.authorization);
        const id_token = await scripted.idToken();
        json({ access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token });
      });
    } else response.writeHead(404).end();
  });
  return scripted;
}
