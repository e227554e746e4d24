/** Local API Gateway: stores the API keys that templates declare, and their usage plans. */

import { AssemblyError } from '../../assembly/assembly-error.ts';
import type { Assembly, Resource } from '../../assembly/resources.ts';
import type { ApiKeyStore } from './api-key-store.ts';

/**
 * Stores the declared keys; a key that exists already is not changed.
 *
 * @throws AssemblyError for a key without a value: API Gateway would generate one, and nothing in the templates could refer to it.
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
