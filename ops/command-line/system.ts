/** Finds the local system by the file in which `npm start` writes its addresses and credentials. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { EnvironmentOrigins } from '../../lambdas/catalog/addresses.ts';
import type { Environment } from '../../lambdas/catalog/environments.ts';

const functions = z.object({
  provisioning: z.string(),
  ingest: z.string(),
  auditVerify: z.optional(z.string()),
  auditPatientRecord: z.optional(z.string()),
  auditApplicationRecord: z.optional(z.string()),
  keyRotation: z.optional(z.string()),
  operatorGrants: z.optional(z.string()),
  loadOperations: z.optional(z.string()),
  directoryOperations: z.optional(z.string()),
  jobOperations: z.optional(z.string()),
  exchangeOperations: z.optional(z.string()),
  exchangeSteps: z.optional(z.string()),
  accountSweep: z.optional(z.string()),
});

/**
 * The file `.local/system.json`, which the local system writes when it is ready: its AWS endpoint, the operator's credentials, and the
 * functions that operators invoke. Other members are ignored.
 */
const localSystem = z.object({
  port: z.int(),
  awsEndpoint: z.url(),
  region: z.string(),
  credentials: z.object({ accessKeyId: z.string(), secretAccessKey: z.string() }),
  functions: z.object({
    sandbox: functions,
    production: functions,
    portal: z.optional(
      z.object({ applicationOperations: z.string(), operatorRecord: z.optional(z.string()) }),
    ),
  }),
  /** CloudFormation outputs, by stack. */
  outputs: z.optional(z.record(z.string(), z.record(z.string(), z.string()))),
});
export type LocalSystem = z.infer<typeof localSystem>;

export const localSystemFile = join(import.meta.dirname, '../..', '.local', 'system.json');

/** The file exists, but is not in the local system's format. */
export class SystemFileBroken extends Error {
  override readonly name = 'SystemFileBroken';
}

/** Reads the file of the local system; undefined if none was started here. */
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

/** Configuration of an AWS client: for the local system, or the operator's own. */
export function awsConfiguration(
  system: LocalSystem | undefined,
): Partial<Pick<LocalSystem, 'region' | 'credentials'>> & { readonly endpoint?: string } {
  if (system === undefined) return {};
  const { awsEndpoint: endpoint, region, credentials } = system;
  return { endpoint, region, credentials };
}

/**
 * Configuration of an AWS client that asks about one account. On the local system, which has all accounts, the operator's access key names the
 * account whose credentials it stands for.
 */
export function accountConfiguration(system: LocalSystem | undefined, account: string) {
  const { credentials, ...configuration } = awsConfiguration(system);
  if (credentials === undefined) return configuration;
  const accessKeyId = `${credentials.accessKeyId}.${account}`;
  return { ...configuration, credentials: { ...credentials, accessKeyId } };
}

/** The hosts of an environment of the local system (README, Hosts). */
export function localOrigins(system: LocalSystem, environment: Environment): EnvironmentOrigins {
  const host = (name: string) => `http://${name}.${environment}.localhost:${system.port}`;
  return { auth: host('auth'), token: host('token'), apiTemplate: host('{lob}.api') };
}
