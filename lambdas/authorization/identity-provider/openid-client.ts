/** OpenID Connect client of the plans' identity providers (adapter over `openid-client`). */

import type { webcrypto } from 'node:crypto';
import * as openid from 'openid-client';
import type { IdentityProvider } from '../../catalog/oauth/identity-providers.ts';
import type { GuardedAnswer, GuardedRequest } from '../../platform/runtime/guarded-fetch.ts';
import type { ProviderClient, ProviderRefusal, ProviderRefused } from '../federation/provider-client.ts';
import { idTokenFault } from './id-token-claims.ts';

/** Milliseconds that a provider's metadata is cached. */
const rememberedMs = 10 * 60_000;
/** Milliseconds before a provider that did not answer is called again: each call makes a member wait. */
const unavailableMs = 5_000;

export interface ProviderClientOptions {
  /** Sends a request to a public host: `createGuardedRequest`. */
  readonly send: (uri: string, request: GuardedRequest) => Promise<GuardedAnswer>;
  /** Reads the current private key of this service as a client. */
  readonly signingKey: () => Promise<{ readonly kid: string; readonly key: webcrypto.CryptoKey }>;
  /**
   * Reads the secret of this service at a provider.
   *
   * @throws Error if none is stored
   */
  readonly clientSecret: (provider: IdentityProvider) => Promise<string>;
  /** Called for each failure with a code of the library, such as `OAUTH_JWT_CLAIM_COMPARISON_FAILED`; values are never passed. */
  readonly failed: (refusal: ProviderRefusal, code: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /**
   * Whether providers on this machine may be called by `http`.
   *
   * @default false
   */
  readonly loopback?: boolean;
}

/**
 * Creates the client of plans' identity providers over `openid-client`. The library verifies `iss`, `state` and `nonce`, and of the ID
 * token the signature, `aud`, `exp` and the algorithm; it reads published keys again for an unknown key, once a minute. `idTokenFault`
 * verifies the other claims. Access and refresh tokens of the provider are discarded.
 */
export function createProviderClient(options: ProviderClientOptions): ProviderClient {
  const configurationOf = createConfigurations(options);
  return {
    async authorizationAddress(provider, request) {
      try {
        const configuration = await configurationOf(provider);
        const address = openid.buildAuthorizationUrl(configuration, {
          response_type: 'code',
          redirect_uri: request.redirectUri,
          scope: provider.scopes.join(' '),
          state: request.state,
          nonce: request.nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(request.codeVerifier),
          code_challenge_method: 'S256',
          ui_locales: request.uiLocales,
          ...(request.prompt !== undefined && { prompt: request.prompt }),
          ...(request.maxAge !== undefined && { max_age: String(request.maxAge) }),
          ...(request.acrValues !== undefined && { acr_values: request.acrValues }),
          ...(request.loginHint !== undefined && { login_hint: request.loginHint }),
        });
        return { kind: 'address', address: address.href };
      } catch (error) {
        return refused(options, error);
      }
    },
    async authenticate(provider, callback, { state, nonce, codeVerifier }) {
      try {
        const configuration = await configurationOf(provider);
        const tokens = await openid.authorizationCodeGrant(configuration, new URL(callback), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new Error('the token response has no id token');
        const fault = idTokenFault(tokens.id_token ?? '', claims, provider.clientId);
        if (fault !== undefined) throw new IdTokenInvalid(fault);
        const memberId = claims[provider.memberIdClaim];
        return {
          kind: 'authenticated',
          issuer: claims.iss,
          subject: claims.sub,
          memberId: typeof memberId === 'string' ? memberId : undefined,
          name: nameOf(claims),
          issuedAt: claims.iat,
          authTime: claims.auth_time,
          acr: typeof claims.acr === 'string' ? claims.acr : undefined,
        };
      } catch (error) {
        return refused(options, error);
      }
    },
    async endSessionAddress(provider, { postLogoutRedirectUri, state }) {
      try {
        const configuration = await configurationOf(provider);
        if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
        const parameters = { post_logout_redirect_uri: postLogoutRedirectUri, state };
        return openid.buildEndSessionUrl(configuration, parameters).href;
      } catch (error) {
        refused(options, error);
        return undefined;
      }
    },
  };
}

/** The name by which a page greets the person: `name`, or given and family name (OpenID Connect Core section 5.1). */
function nameOf(claims: Readonly<Record<string, unknown>>): string | undefined {
  const parts = [claims.given_name, claims.family_name].map(nameIn).filter((part) => part !== undefined);
  return nameIn(claims.name) ?? nameIn(parts.join(' '));
}

/**
 * A claim as a name for a page: 1 to 200 characters without control characters.
 *
 * @returns undefined for any other value.
 */
function nameIn(claim: unknown): string | undefined {
  if (typeof claim !== 'string' || !/^[^\p{Cc}\p{Cs}]{1,200}$/u.test(claim)) return undefined;
  return claim.trim() === '' ? undefined : claim.trim();
}

/** Error: the provider did not answer, or this service has no credentials for it. `code` says which. */
class ProviderSilent extends Error {
  readonly code: string;
  constructor(code: string, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** Error: an ID token that the library accepts and `idTokenFault` refuses. */
class IdTokenInvalid extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

interface Remembered {
  readonly configuration: Promise<openid.Configuration>;
  /** Milliseconds since 1970. */
  until: number;
}

/** Reads and caches providers' metadata. Concurrent callers share one read. */
function createConfigurations(options: ProviderClientOptions) {
  const { now, send, loopback = false } = options;
  const remembered = new Map<string, Remembered>();

  const customFetch: openid.CustomFetch = async (url, { method, headers, body }) => {
    const text = body === undefined || body === null ? undefined : String(body);
    let answer: GuardedAnswer;
    try {
      answer = await send(url, { method, headers, body: text });
    } catch (error) {
      throw new ProviderSilent('unreachable', error);
    }
    const { status } = answer;
    if (status >= 500 || status === 429) throw new ProviderSilent(`status_${status}`);
    const type = answer.headers['content-type'];
    const init = { status, headers: type === undefined ? {} : { 'content-type': type } };
    return new Response(status === 204 || status === 304 ? null : answer.text, init);
  };

  async function discovered(provider: IdentityProvider): Promise<openid.Configuration> {
    const configuration = await openid.discovery(
      new URL(provider.issuer),
      provider.clientId,
      { id_token_signed_response_alg: provider.idTokenAlgorithm },
      authenticationOf(options, provider),
      {
        [openid.customFetch]: customFetch,
        execute: [openid.enableNonRepudiationChecks, ...(loopback ? [openid.allowInsecureRequests] : [])],
      },
    );
    // For two products the library accepts metadata with another issuer than requested, so the issuer is compared here.
    if (configuration.serverMetadata().issuer !== provider.issuer) {
      throw new Error('the metadata is of another issuer');
    }
    return configuration;
  }

  return async (provider: IdentityProvider): Promise<openid.Configuration> => {
    const name = JSON.stringify(provider);
    const known = remembered.get(name);
    if (known !== undefined && known.until > now()) return await known.configuration;
    const entry: Remembered = { configuration: discovered(provider), until: now() + rememberedMs };
    remembered.set(name, entry);
    try {
      return await entry.configuration;
    } catch (error) {
      entry.until = now() + unavailableMs;
      throw error;
    }
  };
}

/** Client authentication at the token endpoint. The key or secret is read for each exchange, because both rotate. */
function authenticationOf(
  { signingKey, clientSecret }: ProviderClientOptions,
  provider: IdentityProvider,
): openid.ClientAuth {
  const credentials = async (): Promise<openid.ClientAuth> => {
    if (provider.clientAuthentication === 'private_key_jwt') return openid.PrivateKeyJwt(await signingKey());
    const secret = await clientSecret(provider);
    return provider.clientAuthentication === 'client_secret_basic'
      ? openid.ClientSecretBasic(secret)
      : openid.ClientSecretPost(secret);
  };
  // The library awaits the returned promise (`ClientAuth` of oauth4webapi), though its type here says void.
  return async (...exchange) => {
    const authenticate = await credentials().catch((error: unknown) => {
      throw new ProviderSilent('client_credentials', error);
    });
    await authenticate(...exchange);
  };
}

function refused({ failed }: ProviderClientOptions, error: unknown): ProviderRefused {
  const refusal = refusalOf(error);
  failed(refusal, codeOf(error));
  return { kind: 'refusal', refusal };
}

/** Errors of an authorization response (RFC 6749 section 4.1.2.1; OpenID Connect Core section 3.1.2.6). */
const refusals: Readonly<Record<string, ProviderRefusal>> = {
  access_denied: 'provider_access_denied',
  login_required: 'provider_login_required',
  interaction_required: 'provider_login_required',
  account_selection_required: 'provider_login_required',
  consent_required: 'provider_login_required',
  server_error: 'provider_unavailable',
  temporarily_unavailable: 'provider_unavailable',
};

function refusalOf(error: unknown): ProviderRefusal {
  if (silentCause(error) !== undefined) return 'provider_unavailable';
  if (error instanceof openid.AuthorizationResponseError) return refusals[error.error] ?? 'provider_error';
  if (error instanceof openid.ResponseBodyError) return 'provider_error';
  return 'provider_answer_invalid';
}

/** The provider's silence as the cause of an error that the library wrapped. */
function silentCause(error: unknown): ProviderSilent | undefined {
  if (error instanceof ProviderSilent) return error;
  return error instanceof Error ? silentCause(error.cause) : undefined;
}

/** Code of an error for the log: of the protocol or of the library, if it is a plain word. */
function codeOf(error: unknown): string {
  const of = (silentCause(error) ?? error) as { error?: unknown; code?: unknown; name?: unknown };
  const code = [of.error, of.code, of.name].find((each) => typeof each === 'string') ?? 'Error';
  return /^\w{1,64}$/.test(String(code)) ? String(code) : 'other';
}
