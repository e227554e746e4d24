/** API Gateway's control plane: API keys and usage plans. */

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Assembly } from '../../assembly/resources.ts';
import { AwsError } from '../protocol/aws-error.ts';
import { operation, type RequestContext, type Service, type ServiceOperation } from '../protocol/service.ts';
import type { ApiKeyStore, StoredApiKey } from './api-key-store.ts';
import { findKey, usagePlanOperations } from './usage-plans.ts';

const flag = z.optional(
  z.pipe(
    z.enum(['true', 'false']),
    z.transform((text) => text === 'true'),
  ),
);
const invalid = 'BadRequestException';

const createInput = z.strictObject({
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  enabled: z.optional(z.boolean()),
  generateDistinctId: z.optional(z.boolean()),
  value: z.optional(z.string()),
  tags: z.optional(z.record(z.string(), z.string())),
});
const listInput = z.strictObject({
  name: z.optional(z.string()),
  includeValues: flag,
  limit: z.optional(z.pipe(z.string(), z.transform(Number))),
  position: z.optional(z.string()),
});
const patchInput = z.strictObject({
  apiKey: z.string(),
  patchOperations: z.array(z.object({ op: z.string(), path: z.string(), value: z.optional(z.string()) })),
});

/** API Gateway's control plane, limited to what subscription keys need: API keys and their usage plans. */
export function apiGateway(assembly: Assembly, keys: ApiKeyStore, now: () => number): Service {
  const region = assembly.resources[0]?.region ?? 'us-east-1';
  const arn = (path: string): string => `arn:aws:apigateway:${region}::${path}`;
  return {
    operations: {
      ...keyOperations(keys, arn, now),
      ...usagePlanOperations(assembly, keys, arn),
    },
  };
}

function keyOperations(
  keys: ApiKeyStore,
  arn: (path: string) => string,
  now: () => number,
): Record<string, ServiceOperation> {
  const one = ({ apiKey }: { apiKey: string }): string => arn(`/apikeys/${apiKey}`);
  const ofKey = ({ apiKey }: { apiKey: string }) => tagContext('aws:resourcetag', keys.get(apiKey)?.tags);
  return {
    CreateApiKey: operation(
      createInput,
      {
        action: 'apigateway:POST',
        resource: () => arn('/apikeys'),
        context: ({ tags }) => tagContext('aws:requesttag', tags),
        run(input, caller) {
          if (input.tags !== undefined) {
            const tagged = arn(`/tags/${encodeURIComponent(arn('/apikeys/'))}*`);
            caller.authorize('apigateway:PUT', tagged, tagContext('aws:requesttag', input.tags));
          }
          return createKey(keys, input, now());
        },
      },
      invalid,
    ),
    GetApiKey: operation(
      z.strictObject({ apiKey: z.string(), includeValue: flag }),
      {
        action: 'apigateway:GET',
        resource: one,
        context: ofKey,
        run: ({ apiKey, includeValue }) => rendition(findKey(keys, apiKey), includeValue),
      },
      invalid,
    ),
    GetApiKeys: operation(
      listInput,
      { action: 'apigateway:GET', resource: () => arn('/apikeys'), run: (input) => listKeys(keys, input) },
      invalid,
    ),
    UpdateApiKey: operation(
      patchInput,
      {
        action: 'apigateway:PATCH',
        resource: one,
        context: ofKey,
        run({ apiKey, patchOperations }) {
          findKey(keys, apiKey);
          const changes = patchOperations.map(changeOf);
          keys.update(apiKey, Object.assign({}, ...changes));
          return rendition(findKey(keys, apiKey));
        },
      },
      invalid,
    ),
    DeleteApiKey: operation(
      z.strictObject({ apiKey: z.string() }),
      {
        action: 'apigateway:DELETE',
        resource: one,
        context: ofKey,
        run: ({ apiKey }) => keys.delete(findKey(keys, apiKey).id),
      },
      invalid,
    ),
  };
}

/** An API key's value has 30 to 128 characters. Source: "Quotas for configuring and running a REST API". */
function createKey(keys: ApiKeyStore, input: z.infer<typeof createInput>, nowMs: number): unknown {
  const value = input.value ?? randomBytes(30).toString('base64url');
  if (value.length < 30 || value.length > 128) {
    throw new AwsError('BadRequestException', 'API Key value should be between 30 and 128 characters');
  }
  if (keys.findByValue(value) !== undefined) {
    throw new AwsError('ConflictException', 'API Key already exists', 409);
  }
  const id = newKeyId();
  keys.insert({
    id,
    value,
    name: input.name ?? null,
    description: input.description ?? null,
    enabled: input.enabled ?? false,
    createdAt: nowMs,
    updatedAt: nowMs,
    tags: input.tags ?? {},
  });
  return rendition(findKey(keys, id), true);
}

function tagContext(
  prefix: 'aws:requesttag' | 'aws:resourcetag',
  tags: Readonly<Record<string, string>> = {},
): RequestContext {
  return Object.fromEntries(
    Object.entries(tags).map(([name, value]) => [`${prefix}/${name.toLowerCase()}`, [value]]),
  );
}

/** Makes a key ID of ten lowercase letters and digits, in the form of API Gateway's. */
function newKeyId(): string {
  return Array.from(randomBytes(10), (byte) => (byte % 36).toString(36)).join('');
}

function rendition(key: StoredApiKey, withValue = false): Record<string, unknown> {
  return {
    id: key.id,
    ...(withValue ? { value: key.value } : {}),
    ...(key.name === null ? {} : { name: key.name }),
    ...(key.description === null ? {} : { description: key.description }),
    enabled: key.enabled,
    createdDate: Math.floor(key.createdAt / 1_000),
    lastUpdatedDate: Math.floor(key.updatedAt / 1_000),
    stageKeys: [],
    ...(Object.keys(key.tags).length === 0 ? {} : { tags: key.tags }),
  };
}

function listKeys(keys: ApiKeyStore, input: z.infer<typeof listInput>): unknown {
  const limit = Math.min(input.limit ?? 25, 500);
  const matching = keys.list().filter(({ name }) => input.name === undefined || name?.startsWith(input.name));
  const start = input.position === undefined ? 0 : matching.findIndex(({ id }) => id === input.position) + 1;
  const page = matching.slice(start, start + limit);
  const last = page.at(-1);
  return {
    item: page.map((key) => rendition(key, input.includeValues)),
    ...(start + limit < matching.length && last !== undefined ? { position: last.id } : {}),
  };
}

function changeOf(patch: { op: string; path: string; value?: string | undefined }): object {
  if (patch.op !== 'replace')
    throw new AwsError('BadRequestException', `Invalid patch operation ${patch.op}`);
  switch (patch.path) {
    case '/enabled':
      return { enabled: patch.value === 'true' };
    case '/name':
      return { name: patch.value ?? null };
    case '/description':
      return { description: patch.value ?? null };
    default:
      throw new AwsError('BadRequestException', `Invalid patch path ${patch.path}`);
  }
}
