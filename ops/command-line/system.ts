/** Finds the local system: the file in which `npm start` writes its addresses and credentials. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { EnvironmentOrigins } from '../../lambdas/catalog/addresses.ts';
import type { Environment } from '../../lambdas/catalog/environments.ts';

const functions = z.object({
  provisioning: z.string(),
  ingest: z.string(),
  auditVerify: z.optional(z.string()),
  keyRotation: z.optional(z.string()),
  operatorGrants: z.optional(z.string()),
  loadOperations: z.optional(z.string()),
  directoryOperations: z.optional(z.string()),
  jobOperations: z.optional(z.string()),
  accountSweep: z.optional(z.string()),
});

/**
 * The file `.local/system.json`, which the one-machine runner writes when it is ready: its AWS endpoint, as whom the
 * operator calls it, and the functions an operator invokes. Members it adds are its own.
 */
const localSystem = z.object({
  port: z.int(),
  awsEndpoint: z.url(),
  region: z.string(),
  credentials: z.object({ accessKeyId: z.string(), secretAccessKey: z.string() }),
  functions: z.object({
    sandbox: functions,
    production: functions,
    portal: z.optional(z.object({ applicationOperations: z.string() })),
  }),
  /** Outputs of each stack. */
  outputs: z.optional(z.record(z.string(), z.record(z.string(), z.string()))),
});
export type LocalSystem = z.infer<typeof localSystem>;

export const localSystemFile = join(import.meta.dirname, '../..', '.local', 'system.json');

/** Thrown if the file exists and isn't in the runner's format. */
export class SystemFileBroken extends Error {
  override readonly name = 'SystemFileBroken';
}

/** The system on this machine; undefined if none was started here. */
export function readLocalSystem(file = localSystemFile): LocalSystem | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  try {
    return localSystem.parse(JSON.parse(text));
  } catch {
    throw new SystemFileBroken(`${file} is not a description of a local system; run \`npm start\` again`);
  }
}

/** Configuration of an AWS client: the system on this machine, or the operator's own. */
export function awsConfiguration(system: LocalSystem | undefined) {
  if (system === undefined) return {};
  const { awsEndpoint: endpoint, region, credentials } = system;
  return { endpoint, region, credentials };
}

/** The hosts of an environment on one machine (README, Hosts). */
export function localOrigins(system: LocalSystem, environment: Environment): EnvironmentOrigins {
  const host = (name: string) => `http://${name}.${environment}.localhost:${system.port}`;
  return { auth: host('auth'), token: host('token'), apiTemplate: host('{lob}.api') };
}
