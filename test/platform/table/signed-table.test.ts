import { describe, expect, it } from 'vitest';
import { createSignedTable, dynamoDbAccess } from '../../../lambdas/platform/table/signed-table.ts';
import { StoreUnavailable } from '../../../lambdas/platform/table/table.ts';

const lambda = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'AKIDTEST', AWS_SECRET_ACCESS_KEY: 'test' };

describe('access to DynamoDB from a function’s environment', () => {
  it('is the region’s endpoint, with the session token where there is one', () => {
    expect(dynamoDbAccess(lambda).endpoint).toBe('https://dynamodb.us-east-1.amazonaws.com');
    expect(dynamoDbAccess(lambda)).not.toHaveProperty('sessionToken');
    expect(dynamoDbAccess({ ...lambda, AWS_SESSION_TOKEN: 'session' }).sessionToken).toBe('session');
  });

  it('is the endpoint the environment names', () => {
    const access = dynamoDbAccess({ ...lambda, AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:8000' });
    expect(access.endpoint).toBe('http://127.0.0.1:8000');
  });

  it('is refused without region or credentials, and the message quotes no value', () => {
    expect(() => dynamoDbAccess({ ...lambda, AWS_REGION: '' })).toThrow(/^AWS_REGION, .* are needed$/);
    const withoutSecret = { ...lambda, AWS_SECRET_ACCESS_KEY: undefined };
    expect(() => dynamoDbAccess(withoutSecret)).toThrow(/^AWS_REGION, .* are needed$/);
  });
});

describe('a table by signed requests', () => {
  it('is unavailable where nobody listens, over TLS as over plain HTTP', async () => {
    for (const scheme of ['https', 'http']) {
      const access = dynamoDbAccess({ ...lambda, AWS_ENDPOINT_URL_DYNAMODB: `${scheme}://127.0.0.1:9` });
      const table = createSignedTable({ tableName: 't', access });
      await expect(table.get({ pk: 'a', sk: 'b' })).rejects.toThrow(StoreUnavailable);
    }
  });
});
