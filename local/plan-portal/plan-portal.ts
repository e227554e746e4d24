/**
 * A stand-in of a plan's member portal: an OpenID provider at which the members of one line of business of the sandbox can sign in. It is the
 * package `oidc-provider` with a page that asks for the member ID only.
 */

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import Provider from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';
import type { HttpHost } from '../gateway/server.ts';
import { planPortalEndedPage, planPortalPage } from './sign-in-page.ts';

/** Path of the provider on `localhost`: its issuer is the machine's address with this path. */
export const planPortalPath = '/plan-portal';
const lineOfBusiness = 'MHBE';
const clientId = 'member-data';
/** Scope that adds the member ID to the ID token. */
const scope = 'plan';
const memberIdClaim = 'plan_member_id';

interface Addresses {
  /** `http://localhost:8080/plan-portal` */
  readonly issuer: string;
  /** The port of the sandbox's authorization server on this machine. */
  readonly port: number;
}

/** The federation setting of the sandbox with which its members can sign in at the stand-in (docs/federation.md). */
export function planPortalContext({ issuer }: Pick<Addresses, 'issuer'>): Readonly<Record<string, string>> {
  const label = { en: 'Plan Portal', es: 'Portal del plan' };
  const provider = { issuer, clientId, memberIdClaim, scopes: ['openid', scope], label };
  return { 'sandbox.federation': JSON.stringify({ linesOfBusiness: { [lineOfBusiness]: provider } }) };
}

/** Creates the provider. Its sessions and keys live as long as the process. */
export function createPlanPortal({ issuer, port }: Addresses): HttpHost {
  const provider = new Provider(issuer, configurationOf(port));
  const serve = provider.callback();
  const signIn = `${planPortalPath}/sign-in/`;
  return {
    handle(incoming, outgoing) {
      const url = incoming.url ?? '';
      const answered = url.startsWith(signIn) ? answerSignIn(provider, incoming, outgoing) : undefined;
      answered?.catch(() => send(outgoing, 400, planPortalEndedPage()));
      // The package reads from `originalUrl` below which path it is.
      if (answered === undefined) serve(mounted(incoming, url), outgoing);
    },
  };
}

function mounted(incoming: IncomingMessage, url: string): IncomingMessage {
  return Object.assign(incoming, { originalUrl: url, url: url.slice(planPortalPath.length) || '/' });
}

async function answerSignIn(
  provider: Provider,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  await provider.interactionDetails(incoming, outgoing);
  if (incoming.method !== 'POST') {
    send(outgoing, 200, planPortalPage());
    return;
  }
  const login = new URLSearchParams(await text(incoming)).get('login')?.trim() ?? '';
  if (!/^[A-Za-z0-9]{1,40}$/.test(login)) {
    send(outgoing, 400, planPortalPage('Enter a member ID of letters and digits.'));
    return;
  }
  await provider.interactionFinished(incoming, outgoing, { login: { accountId: login.toUpperCase() } });
}

function send(outgoing: ServerResponse, status: number, page: string): void {
  outgoing.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  });
  outgoing.end(page);
}

function configurationOf(port: number): object {
  const pages = `http://auth.sandbox.localhost:${port}/fhir-oauth2/federation`;
  const lob = lineOfBusiness.toLowerCase();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'RS256',
        jwks_uri: `${pages}/jwks`,
        redirect_uris: [`${pages}/${lob}/callback`],
        post_logout_redirect_uris: [`${pages}/${lob}/signed-out`],
        scope: `openid ${scope}`,
      },
    ],
    jwks: {
      keys: [{ ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' }],
    },
    scopes: ['openid', scope],
    claims: { openid: ['sub'], [scope]: [memberIdClaim] },
    // Puts the scope's claims into the ID token too, not only into the UserInfo response.
    conformIdTokenClaims: false,
    cookies: { keys: [randomUUID()] },
    // In memory, as is the package's default, of which it warns in the terminal.
    adapter: createMemoryAdapter(),
    ttl: {
      AccessToken: 300,
      AuthorizationCode: 60,
      Grant: 900,
      IdToken: 300,
      Interaction: 900,
      Session: 900,
    },
    features: { rpInitiatedLogout: { enabled: true }, devInteractions: { enabled: false } },
    interactions: {
      url: (_: unknown, { uid }: { readonly uid: string }) => `${planPortalPath}/sign-in/${uid}`,
    },
    fetch: fetchAt(port),
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, [memberIdClaim]: id }),
    }),
    // The client belongs to the plan, so members are not asked for consent.
    loadExistingGrant: async (context: ConsentContext) => {
      const { provider, client, session, params } = context.oidc;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(String(params.scope));
      await grant.save();
      return grant;
    },
  };
}

/** Fetches from a host of this system, whose name not every resolver knows. */
function fetchAt(port: number): (url: URL | string) => Promise<Response> {
  return async (url) => {
    const { host, pathname, search } = new URL(url);
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path: `${pathname}${search}`, headers: { host } };
      get(options, resolve).on('error', reject);
    });
    const headers = { 'content-type': incoming.headers['content-type'] ?? 'application/json' };
    return new Response(await text(incoming), { status: incoming.statusCode ?? 502, headers });
  };
}

/** The part of the package's context that is used here; the package has no types. */
interface ConsentContext {
  readonly oidc: {
    readonly provider: {
      readonly Grant: new (of: {
        clientId: string;
        accountId: string;
      }) => { addOIDCScope(scope: string): void; save(): Promise<string> };
    };
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly params: Readonly<Record<string, unknown>>;
  };
}
