/** Local API Gateway: puts the API keys that templates declare, and their usage plans, into the store. */

import { AssemblyError } from '../../assembly/assembly-error.ts';
import type { Assembly, Resource } from '../../assembly/resources.ts';
import type { ApiKeyStore } from './api-key-store.ts';

/**
 * A key that is there already stays as it is.
 *
 * @throws AssemblyError for a key without a value: the service would generate one, and nothing in the templates could name it.
 */
export function deployApiKeys(assembly: Assembly, keys: ApiKeyStore, now: () => number): void {
  for (const { physicalId: id, properties, stack, logicalId } of assembly.ofType('AWS::ApiGateway::ApiKey')) {
    const { Value, Name, Description, Enabled } = properties;
    if (typeof Value !== 'string')
      throw new AssemblyError(`API key ${stack}/${logicalId}: a key without a value`);
    if (keys.get(id) !== undefined) continue;
    keys.insert({
      id,
      value: Value,
      name: textOrNull(Name),
      description: textOrNull(Description),
      enabled: Enabled === true,
      createdAt: now(),
      updatedAt: now(),
      tags: {},
    });
  }
  for (const each of assembly.ofType('AWS::ApiGateway::UsagePlanKey')) addToPlan(keys, each);
}

function addToPlan(keys: ApiKeyStore, { properties }: Resource): void {
  const [plan, key] = [String(properties.UsagePlanId), String(properties.KeyId)];
  if (keys.get(key)?.usagePlanIds.includes(plan) !== true) keys.addToPlan(plan, key);
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
