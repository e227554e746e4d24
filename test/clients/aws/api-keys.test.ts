import {
  APIGatewayClient,
  ConflictException,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  DeleteUsagePlanKeyCommand,
  GetApiKeyCommand,
  GetApiKeysCommand,
  GetUsageCommand,
  NotFoundException,
  TooManyRequestsException,
  UpdateApiKeyCommand,
} from '@aws-sdk/client-api-gateway';
import { beforeEach, describe, expect, it } from 'vitest';
import { createGatewayKeys } from '../../../lambdas/clients/aws/api-keys.ts';
import { mockClient } from '../../support/client-doubles.ts';

const gateway = mockClient(APIGatewayClient);
const keys = createGatewayKeys(
  new APIGatewayClient({ region: 'us-east-1' }),
  { standard: 'plan-1' },
  'sandbox',
);
const about = { message: 'as API Gateway words it', $metadata: {} };

beforeEach(() => {
  gateway.reset();
});

describe('subscription keys in API Gateway', () => {
  it('carry request and client in their name and the value they are given', async () => {
    gateway.on(CreateApiKeyCommand).resolves({ id: 'k1', value: 'v'.repeat(40) });
    const made = await keys.create({ requestId: 'request-1', clientId: 'client-1', value: 'v'.repeat(40) });
    expect(made).toEqual({ apiKeyId: 'k1', value: 'v'.repeat(40), clientId: 'client-1' });
    expect(gateway.commandCalls(CreateApiKeyCommand)[0]?.args[0].input).toEqual({
      name: 'request-1/client-1',
      value: 'v'.repeat(40),
      enabled: true,
      // IAM policies compare this tag, so that the role of another environment can't use the key.
      tags: { 'member-data:stage': 'sandbox' },
    });
  });

  it('are found by their request over all pages, and never by the beginning of another’s', async () => {
    gateway
      .on(GetApiKeysCommand, { nameQuery: 'request-1/', includeValues: true })
      .resolves({ items: [{ id: 'k0', value: 'a', name: 'request-1/more/client-0' }], position: 'p' })
      .on(GetApiKeysCommand, { nameQuery: 'request-1/', includeValues: true, position: 'p' })
      .resolves({ items: [{ id: 'k1', value: 'b', name: 'request-1/client-1' }] });
    expect(await keys.find('request-1')).toEqual({ apiKeyId: 'k1', value: 'b', clientId: 'client-1' });
  });

  it('are not found where there is none', async () => {
    gateway.on(GetApiKeysCommand).resolves({});
    expect(await keys.find('request-1')).toBeUndefined();
  });

  it('may be attached, detached, enabled and deleted twice', async () => {
    gateway.on(CreateUsagePlanKeyCommand).rejects(new ConflictException(about));
    gateway.on(DeleteUsagePlanKeyCommand).rejects(new NotFoundException(about));
    gateway.on(UpdateApiKeyCommand).rejects(new NotFoundException(about));
    gateway.on(DeleteApiKeyCommand).rejects(new NotFoundException(about));
    await keys.attach('k1', 'standard');
    await keys.detach('k1', 'standard');
    await keys.enable('k1', false);
    await keys.delete('k1');
    expect(gateway.commandCalls(UpdateApiKeyCommand)[0]?.args[0].input.patchOperations).toEqual([
      { op: 'replace', path: '/enabled', value: 'false' },
    ]);
  });

  it('are gone where a refused change finds none, and another’s where it finds one', async () => {
    const denied = Object.assign(new Error('no identity-based policy allows it'), {
      name: 'AccessDeniedException',
    });
    gateway.on(DeleteApiKeyCommand).rejects(denied).on(UpdateApiKeyCommand).rejects(denied);
    gateway.on(GetApiKeyCommand).rejects(new NotFoundException(about));
    await expect(keys.delete('k1')).resolves.toBeUndefined();
    await expect(keys.enable('k1', true)).resolves.toBeUndefined();
    gateway.on(GetApiKeyCommand).resolves({ id: 'k1' });
    await expect(keys.delete('k1')).rejects.toBe(denied);
    await expect(keys.enable('k1', true)).rejects.toBe(denied);
  });

  it('do not hide any other error', async () => {
    gateway.on(CreateUsagePlanKeyCommand).rejects(new TooManyRequestsException(about));
    await expect(keys.attach('k1', 'standard')).rejects.toThrow(TooManyRequestsException);
    await expect(keys.attach('k1', 'platinum')).rejects.toThrow('a tier without a usage plan');
  });

  it('have a usage for each day, and none when they are gone', async () => {
    gateway.on(GetUsageCommand).resolves({
      items: {
        k1: [
          [3, 97],
          [5, 95],
        ],
      },
    });
    expect(await keys.usage('k1', 'standard', '2026-02-28', '2026-03-01')).toEqual([
      { date: '2026-02-28', used: 3, remaining: 97 },
      { date: '2026-03-01', used: 5, remaining: 95 },
    ]);
    gateway.on(GetUsageCommand).rejects(new NotFoundException(about));
    expect(await keys.usage('k1', 'standard', '2026-02-28', '2026-03-01')).toEqual([]);
  });
});
