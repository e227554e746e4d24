import aws4 from 'aws4';
import { expect, it } from 'vitest';
import {
  createRequestSignature,
  dynamoDb,
  type JsonService,
  type SigningScope,
} from '../../../lambdas/platform/table/request-signature.ts';
import { anyText } from '../../support/any-text.ts';
import fc from '../../support/property.ts';

/** Signs the request with `aws4`, an independent signer that passes AWS's test suite. */
function byAws4(
  service: JsonService,
  scope: SigningScope,
  host: string,
  nowMs: number,
  operation: string,
  body: string,
) {
  const date = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const { headers } = aws4.sign(
    {
      method: 'POST',
      path: '/',
      service: service.signingName,
      region: scope.region,
      headers: {
        Host: host,
        'Content-Type': `application/x-amz-json-${service.version}`,
        'X-Amz-Target': `${service.target}.${operation}`,
        'X-Amz-Date': date,
      },
      body,
    },
    scope,
  );
  return { ...headers, 'Content-Length': String(headers?.['Content-Length']) };
}

const word = (letters: RegExp) => fc.stringMatching(letters);
const scopes = fc.record({
  region: fc.constantFrom('us-east-1', 'us-gov-west-1', 'eu-central-1'),
  accessKeyId: word(/^A[A-Z0-9]{15,19}$/),
  secretAccessKey: word(/^[A-Za-z0-9/+]{40}$/),
  sessionToken: fc.option(word(/^[A-Za-z0-9/+=]{1,400}$/), { nil: undefined }),
});
const hosts = fc.constantFrom('dynamodb.us-east-1.amazonaws.com', '127.0.0.1:8000', 'localhost');
// Years that have four digits.
const times = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2099, 11) });
const services = fc.constantFrom<JsonService[]>(dynamoDb, {
  signingName: 'secretsmanager',
  version: '1.1',
  target: 'secretsmanager',
});
const operations = fc.constantFrom('GetItem', 'TransactWriteItems', 'GetSecretValue');
const requests = fc.tuple(times, operations, anyText({ maxLength: 300 }));

it('signs as aws4 does, whoever calls from wherever at whatever time, a day after another', () => {
  fc.assert(
    fc.property(
      services,
      scopes,
      hosts,
      fc.array(requests, { minLength: 1, maxLength: 4 }),
      (service, scope, host, several) => {
        let now = 0;
        const { sessionToken, ...rest } = scope;
        const known = { ...rest, ...(sessionToken !== undefined && { sessionToken }) };
        const signed = createRequestSignature(service, known, host, () => now);
        for (const [time, operation, text] of several) {
          now = time;
          const body = JSON.stringify({ text });
          expect(signed(operation, body)).toEqual(byAws4(service, known, host, time, operation, body));
        }
      },
    ),
    { numRuns: 300 },
  );
});
