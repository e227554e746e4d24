import { readCloudAssembly } from './cloud-assembly.ts';
import { deployTemplates } from './deployment.ts';
import { type Assembly, assemblyOf } from './resources.ts';
import type { VersionNumbers } from './version-numbers.ts';

/**
 * Reads a cloud assembly that `cdk synth` wrote (`manifest.json`, templates, asset manifests).
 *
 * @param versions those of the running system that gets the assembly.
 * @throws AssemblyError naming the stack and what can't be read or resolved.
 */
export function loadAssembly(directory: string, versions?: VersionNumbers): Assembly {
  const { stacks, assets } = readCloudAssembly(directory);
  const { resources, outputs } = deployTemplates(stacks, versions);
  return assemblyOf(resources, outputs, assets);
}
