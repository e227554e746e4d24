// The yardstick of token issue: oidc-provider with its in-memory store, client credentials, RS256 JWT access tokens.
//
//   node bench/oidc-provider-server.mjs <client id> <client secret> <resource>
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const [clientId = '', clientSecret = '', resource = ''] = process.argv.slice(2);
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const provider = new Provider('http://localhost', {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'bench', alg: 'RS256', use: 'sig' }] },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    introspection: { enabled: true },
    resourceIndicators: {
      enabled: true,
      // A token asked for with a scope is for the resource, and a JWT; one without is opaque.
      defaultResource: (context) => (context.oidc.params?.scope ? resource : undefined),
      getResourceServerInfo: () => ({
        scope: '.default',
        audience: resource,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 300,
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
});
const server = createServer(provider.callback());
server.listen(0, '127.0.0.1', () => console.log(`listening ${server.address().port}`));
