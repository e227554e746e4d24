import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** Member IDs by the login name at the provider. */
export type ProviderAccounts = Readonly<Record<string, string | undefined>>;

export interface PlanProvider {
  readonly issuer: string;
  stop(): void;
}

interface PlanProviderOptions {
  readonly accounts: ProviderAccounts;
  /** Metadata with which this service is registered as a client at the provider. */
  readonly client: Readonly<Record<string, unknown>>;
  /**
   * Fetches the client's keys.
   *
   * @default Node's `fetch`, which does not resolve `*.localhost`
   */
  readonly fetch?: typeof fetch;
  readonly port?: number;
}

/** Scope that adds the member ID to the id token. */
export const planScope = 'plan';
export const memberIdClaim = 'plan_member_id';

/**
 * Starts the unmodified npm package `oidc-provider` as a plan's identity provider on this machine. Its development pages sign in anyone who
 * enters a name.
 */
export async function startPlanProvider(options: PlanProviderOptions): Promise<PlanProvider> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' };
  const provider = new Provider(issuer, {
    clients: [options.client],
    jwks: { keys: [key] },
    scopes: ['openid', planScope],
    claims: { openid: ['sub'], [planScope]: [memberIdClaim] },
    // Puts the scope's claims into the id token too, not only into the UserInfo response.
    conformIdTokenClaims: false,
    cookies: { keys: [randomUUID()] },
    acrValues: ['urn:plan:password'],
    features: { rpInitiatedLogout: { enabled: true } },
    ...(options.fetch !== undefined && { fetch: options.fetch }),
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, [memberIdClaim]: options.accounts[id] }),
    }),
    // The client belongs to the plan, so members are not asked for consent.
    loadExistingGrant: async (context: ConsentContext) => {
      const { provider: own, client, session, params } = context.oidc;
      const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(String(params.scope));
      await grant.save();
      return grant;
    },
  });
  server.on('request', provider.callback());
  return {
    issuer,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The members of oidc-provider's context that the pages here use; the package has no types. */
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
