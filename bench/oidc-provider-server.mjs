// The reference of the token benchmark: oidc-provider with a DynamoDB adapter on the same engine, client credentials, RS256 JWT access
// tokens. It reads the client from the store for each request. oidc-provider does not store the JWTs it issues, so this server writes a
// record before the response, as our token endpoint writes its audit event.
//
// node bench/oidc-provider-server.mjs <client id> <client secret> <resource>
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import Provider from 'oidc-provider';

const [clientId = '', clientSecret = '', resource = ''] = process.argv.slice(2);
const TableName = process.env.TABLE_NAME;
const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
  marshallOptions: { removeUndefinedValues: true },
});

/** oidc-provider's adapter interface over one table, with the methods that the measured grants call. */
class DynamoDbAdapter {
  #model;
  constructor(model) {
    this.#model = model;
  }
  #key(id) {
    return { pk: `OIDC#${this.#model}#${id}`, sk: 'OIDC' };
  }
  async upsert(id, payload, expiresIn) {
    const ttl = expiresIn && Math.floor(Date.now() / 1000) + expiresIn;
    await documents.send(new PutCommand({ TableName, Item: { ...this.#key(id), payload, ttl } }));
  }
  async find(id) {
    const { Item } = await documents.send(
      new GetCommand({ TableName, Key: this.#key(id), ConsistentRead: true }),
    );
    return Item?.payload;
  }
}

await new DynamoDbAdapter('Client').upsert(clientId, {
  client_id: clientId,
  client_secret: clientSecret,
  token_endpoint_auth_method: 'client_secret_post',
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
});
const issued = new DynamoDbAdapter('Issued');
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const provider = new Provider('http://localhost', {
  adapter: DynamoDbAdapter,
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'bench', alg: 'RS256', use: 'sig' }] },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    introspection: { enabled: true },
    resourceIndicators: {
      enabled: true,
      // A token requested with a scope is a JWT for the resource. A token requested without a scope is opaque and stored by the adapter.
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
provider.use(async (context, next) => {
  await next();
  const token = context.oidc?.entities?.ClientCredentials;
  if (context.path !== '/token' || token === undefined) return;
  await issued.upsert(randomUUID(), { clientId: token.clientId, scope: token.scope, time: Date.now() });
});
process.on('message', () => process.send(process.cpuUsage()));
const server = createServer(provider.callback());
server.listen(0, '127.0.0.1', () => console.log(`listening ${server.address().port}`));
