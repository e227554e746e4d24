// Serves one bundled function over HTTP with events in the form of API Gateway's, to measure a function under concurrent requests without
// the local gateway.
//
// node bench/function-server.mjs <bundle> <requestContext.authorizer as JSON> <request path>
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [bundle = '', authorizer = '{}', resource = '/'] = process.argv.slice(2);
const { handler } = createRequire(import.meta.url)(resolve(bundle));
const context = JSON.parse(authorizer);
let count = 0;

const server = createServer((incoming, outgoing) => {
  let body = '';
  incoming.setEncoding('utf8');
  incoming.on('data', (chunk) => {
    body += chunk;
  });
  incoming.on('end', async () => {
    const answer = await handler({
      resource,
      path: incoming.url,
      httpMethod: incoming.method,
      headers: incoming.headers,
      multiValueHeaders: {},
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
      stageVariables: null,
      requestContext: {
        requestId: `bench-${count++}`,
        resourcePath: resource,
        httpMethod: incoming.method,
        stage: 'sandbox',
        identity: { sourceIp: '127.0.0.1' },
        authorizer: context,
      },
      body,
      isBase64Encoded: false,
    });
    outgoing.writeHead(answer.statusCode, answer.headers).end(answer.body);
  });
});
process.on('message', () => process.send(process.cpuUsage()));
server.listen(0, '127.0.0.1', () => console.log(`listening ${server.address().port}`));
