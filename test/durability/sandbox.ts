/** Names of the sandbox's stores and clients for them, in a runner that is killed. */

import { loadAssembly } from '../../local/assembly/load-assembly.ts';
import type { LocalSystem } from '../../ops/command-line/system.ts';

/** Name of the sandbox's table. */
export function sandboxTable(assemblyDirectory: string): string {
  return sandboxName(assemblyDirectory, 'AWS::DynamoDB::GlobalTable', '');
}

/** Name of a resource of the sandbox. */
export function sandboxName(assemblyDirectory: string, type: string, logicalId: string): string {
  const found = loadAssembly(assemblyDirectory)
    .ofType(type)
    .find((each) => each.environment === 'sandbox' && each.logicalId.startsWith(logicalId));
  if (found === undefined) throw new Error(`the sandbox has no ${type} ${logicalId}`);
  return found.physicalId;
}

/** Configuration of an AWS client with an operator's credentials. */
export function operatorClient({ awsEndpoint: endpoint, region, credentials }: LocalSystem) {
  return { endpoint, region, credentials, forcePathStyle: true };
}
