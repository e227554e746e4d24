import {
  APIGatewayClient,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  DeleteUsagePlanKeyCommand,
  GetApiKeyCommand,
  GetApiKeysCommand,
  GetRestApisCommand,
  GetUsageCommand,
  UpdateApiKeyCommand,
} from '@aws-sdk/client-api-gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allow, assembly, resource, role } from './declarations.ts';
import { type Started, started } from './started.ts';

const plan = (id: string, ApiId: string, Quota?: object) =>
  resource(
    'AWS::ApiGateway::UsagePlan',
    id,
    { ApiStages: [{ ApiId, Stage: 'v1' }], ...(Quota === undefined ? {} : { Quota }) },
    { physicalId: id },
  );

const value = (seed: string) => seed.padEnd(40, '-');

describe('API keys', () => {
  let endpoint: Started;
  let client: APIGatewayClient;
  beforeAll(async () => {
    const rights = role(
      allow('apigateway:*', [
        'arn:aws:apigateway:us-east-1::/apikeys',
        'arn:aws:apigateway:us-east-1::/apikeys/*',
      ]),
    );
    endpoint = await started({
      assembly: assembly(
        rights,
        plan('basic', 'api1', { Limit: 100, Period: 'DAY' }),
        plan('better', 'api1'),
        plan('other', 'api2'),
      ),
    });
    client = new APIGatewayClient(endpoint.asOperator);
  });
  afterAll(() => endpoint.stopAndForget());

  const create = async (seed: string, enabled = true) =>
    await client.send(new CreateApiKeyCommand({ name: seed, value: value(seed), enabled }));

  it('are found by their value, with their plans, as soon as they are made', async () => {
    const { id, value: given } = await create('first');
    expect(given).toBe(value('first'));
    expect(endpoint.apiKeys.findByValue(value('first'))).toMatchObject({
      id,
      enabled: true,
      usagePlanIds: [],
    });
    await client.send(new CreateUsagePlanKeyCommand({ usagePlanId: 'basic', keyId: id, keyType: 'API_KEY' }));
    expect(endpoint.apiKeys.findByValue(value('first'))?.usagePlanIds).toEqual(['basic']);
    await client.send(new DeleteUsagePlanKeyCommand({ usagePlanId: 'basic', keyId: id }));
    expect(endpoint.apiKeys.findByValue(value('first'))?.usagePlanIds).toEqual([]);
  });

  it('are disabled at once, and gone when deleted', async () => {
    const { id } = await create('second');
    const patchOperations = [{ op: 'replace' as const, path: '/enabled', value: 'false' }];
    const updated = await client.send(new UpdateApiKeyCommand({ apiKey: id, patchOperations }));
    expect(updated.enabled).toBe(false);
    expect(endpoint.apiKeys.findByValue(value('second'))?.enabled).toBe(false);
    await client.send(new DeleteApiKeyCommand({ apiKey: id }));
    expect(endpoint.apiKeys.findByValue(value('second'))).toBeUndefined();
    await expect(client.send(new GetApiKeyCommand({ apiKey: id }))).rejects.toMatchObject({
      name: 'NotFoundException',
    });
  });

  it('show their value only where it is asked for', async () => {
    const { id } = await create('third');
    expect(await client.send(new GetApiKeyCommand({ apiKey: id }))).not.toHaveProperty('value');
    const whole = await client.send(new GetApiKeyCommand({ apiKey: id, includeValue: true }));
    expect(whole.value).toBe(value('third'));
    expect(whole.createdDate).toBeInstanceOf(Date);
    const { items } = await client.send(new GetApiKeysCommand({ nameQuery: 'thi', includeValues: true }));
    expect(items?.map((key) => key.value)).toEqual([value('third')]);
  });

  it('are listed in pages', async () => {
    for (const seed of ['page1', 'page2', 'page3']) await create(seed);
    const first = await client.send(new GetApiKeysCommand({ nameQuery: 'page', limit: 2 }));
    expect(first.items?.map(({ name }) => name)).toEqual(['page1', 'page2']);
    const second = await client.send(
      new GetApiKeysCommand({ nameQuery: 'page', limit: 2, position: first.position }),
    );
    expect(second.items?.map(({ name }) => name)).toEqual(['page3']);
    expect(second.position).toBeUndefined();
  });

  it('have 30 to 128 characters and no double', async () => {
    for (const length of [29, 129]) {
      await expect(client.send(new CreateApiKeyCommand({ value: 'a'.repeat(length) }))).rejects.toMatchObject(
        { name: 'BadRequestException' },
      );
    }
    await create('double');
    await expect(create('double')).rejects.toMatchObject({ name: 'ConflictException' });
  });

  it('are in one plan only for each API stage', async () => {
    const { id: keyId } = await create('planned');
    const join = (usagePlanId: string) =>
      client.send(new CreateUsagePlanKeyCommand({ usagePlanId, keyId, keyType: 'API_KEY' }));
    await join('basic');
    await join('other');
    await expect(join('basic')).rejects.toMatchObject({ name: 'ConflictException' });
    await expect(join('better')).rejects.toMatchObject({ name: 'ConflictException' });
    await expect(join('missing')).rejects.toMatchObject({ name: 'NotFoundException' });
    await expect(
      client.send(new DeleteUsagePlanKeyCommand({ usagePlanId: 'better', keyId })),
    ).rejects.toMatchObject({ name: 'NotFoundException' });
  });

  it('are metered by day', async () => {
    const { id = '' } = await create('metered');
    endpoint.apiKeys.recordUse('basic', id, '2026-03-01');
    endpoint.apiKeys.recordUse('basic', id, '2026-03-02');
    endpoint.apiKeys.recordUse('basic', id, '2026-03-02');
    const usage = await client.send(
      new GetUsageCommand({
        usagePlanId: 'basic',
        keyId: id,
        startDate: '2026-03-01',
        endDate: '2026-03-03',
      }),
    );
    expect(usage.items).toEqual({
      [id]: [
        [1, 99],
        [2, 98],
        [0, 100],
      ],
    });
  });

  it('are refused to a role without the right, and nothing else is pretended', async () => {
    const fn = new APIGatewayClient(endpoint.asFunction);
    await fn.send(new CreateApiKeyCommand({ value: value('by function') }));
    await expect(
      fn.send(
        new GetUsageCommand({
          usagePlanId: 'basic',
          keyId: 'any',
          startDate: '2026-03-01',
          endDate: '2026-03-03',
        }),
      ),
    ).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining(
        'apigateway:GET on resource: arn:aws:apigateway:us-east-1::/usageplans/basic/usage',
      ),
    });
    await expect(
      new APIGatewayClient(endpoint.asNobody).send(new GetApiKeysCommand({})),
    ).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
    await expect(client.send(new GetRestApisCommand({}))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
    await expect(
      client.send(
        new CreateApiKeyCommand({ value: value('own id'), generateDistinctId: true, customerId: 'c' }),
      ),
    ).rejects.toMatchObject({ name: 'UnknownOperationException' });
  });

  it('keep the tags they are made with', async () => {
    const { id, tags } = await client.send(
      new CreateApiKeyCommand({ value: value('tagged'), tags: { a: 'b' } }),
    );
    expect([tags, (await client.send(new GetApiKeyCommand({ apiKey: id }))).tags]).toEqual([
      { a: 'b' },
      { a: 'b' },
    ]);
  });
});
