import { readCloudAssembly } from './cloud-assembly.ts';
import { deployTemplates } from './deployment.ts';
import { type Assembly, assemblyOf } from './resources.ts';

/**
 * Reads a cloud assembly that `cdk synth` wrote (`manifest.json`, templates, asset manifests).
 *
 * @throws AssemblyError naming the stack and what can't be read or resolved.
 */
export function loadAssembly(directory: string): Assembly {
  const { stacks, assets } = readCloudAssembly(directory);
  const { resources, outputs } = deployTemplates(stacks);
  return assemblyOf(resources, outputs, assets);
}
