import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fhirBase } from '../../lambdas/catalog/addresses.ts';
import type {
  Credentials,
  ProvisioningRequest,
} from '../../lambdas/clients/provisioning/provisioning-contract.ts';
import { bundleIfStale, synthesize } from '../../local/synthesize.ts';
import { createInvoke } from '../../ops/command-line/invoke.ts';
import { type LocalSystem, localOrigins } from '../../ops/command-line/system.ts';
import { syntheticMembers } from '../../ops/generator/members.ts';
import { createHttp } from '../../ops/http/client.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { freePort } from '../support/free-port.ts';
import { memberToken } from '../support/member-token.ts';
import { killed, startRunner, systemIn } from './runner-process.ts';

/**
 * Result of killing the running system (`kill -9`) at random moments under load and starting it again: whether every acknowledged write is
 * there and no write is half done.
 */
export interface Interruptions {
  readonly rounds: number;
  /** Writes that were acknowledged before a kill and found after it. */
  readonly writesKept: number;
  /** Registrations that a kill cut off and that were complete after the same request was repeated. */
  readonly repeatsMadeWhole: number;
  /** A sentence for each write that was lost or half done. */
  readonly losses: readonly string[];
}

const environment = 'production';
const lob = 'DSNP';
const redirectUri = 'https://app.example.org/callback';
const [member] = syntheticMembers(environment).filter((each) => each.lob === lob);
const http = createHttp();

interface Acknowledged {
  readonly registrations: { readonly requestId: string; readonly credentials: Required<Credentials> }[];
  readonly cutOff: string[];
  readonly tokens: { readonly token: string; readonly key: string }[];
}

export async function interrupt(options: {
  readonly rounds: number;
  readonly progress: (line: string) => void;
}): Promise<Interruptions> {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'member-data-durability-'));
  const assemblyDirectory = join(stateDirectory, 'all-rounds-assembly');
  const port = await freePort();
  const losses: string[] = [];
  let writesKept = 0;
  let repeatsMadeWhole = 0;
  try {
    await bundleIfStale(repositoryRoot);
    await synthesize(repositoryRoot, assemblyDirectory, port);
    const start = () => startRunner([repositoryRoot, stateDirectory, assemblyDirectory, String(port)]);
    let runner = await start();
    await loadMember(systemIn(stateDirectory));
    const app = await registered(systemIn(stateDirectory), randomUUID());
    for (let round = 1; round <= options.rounds; round++) {
      const system = systemIn(stateDirectory);
      const acknowledged: Acknowledged = { registrations: [], cutOff: [], tokens: [] };
      const load = Promise.all([
        registerUntilKilled(system, acknowledged),
        registerUntilKilled(system, acknowledged),
        authorizeUntilKilled(system, app, acknowledged),
      ]);
      await someAcknowledged(acknowledged);
      await sleep(Math.random() * 650);
      await killed(runner);
      await load;
      runner = await start();
      const found = await verify(systemIn(stateDirectory), acknowledged);
      losses.push(...found.losses.map((loss) => `round ${round}: ${loss}`));
      writesKept += found.writesKept;
      repeatsMadeWhole += found.repeatsMadeWhole;
      options.progress(`round ${round}: ${writesKept} writes kept, ${losses.length} lost`);
    }
    await killed(runner);
  } finally {
    rmSync(stateDirectory, { recursive: true, force: true });
  }
  return { rounds: options.rounds, writesKept, repeatsMadeWhole, losses };
}

/** Waits until some writes are acknowledged, so that a kill has something to lose on a slow machine too. Writes under way are cut off. */
async function someAcknowledged({ registrations, tokens, cutOff }: Acknowledged): Promise<void> {
  while (registrations.length + tokens.length < 2 && cutOff.length < 2) await sleep(10);
}

async function provision(
  system: LocalSystem,
  request: ProvisioningRequest,
): Promise<Record<string, unknown>> {
  const invoke = createInvoke(system);
  return (await invoke(system.functions[environment].provisioning, request)) as Record<string, unknown>;
}

async function registered(system: LocalSystem, requestId: string): Promise<Required<Credentials>> {
  const answer = await provision(system, {
    action: 'register',
    requestId,
    registration: {
      clientName: 'Interrupted app',
      grantTypes: ['authorization_code', 'client_credentials'],
      tokenEndpointAuthMethod: 'client_secret_basic',
      linesOfBusiness: [lob],
      products: ['patient-access'],
      redirectUris: [redirectUri],
      attested: true,
      pkceRequired: false,
      tier: 'standard',
    },
  });
  if (answer.kind !== 'credentials')
    throw new Error(`the registration was refused: ${JSON.stringify(answer)}`);
  return answer.credentials as Required<Credentials>;
}

async function loadMember(system: LocalSystem): Promise<void> {
  await createInvoke(system)(system.functions[environment].ingest, member);
}

async function registerUntilKilled(system: LocalSystem, acknowledged: Acknowledged): Promise<void> {
  for (;;) {
    const requestId = randomUUID();
    try {
      acknowledged.registrations.push({ requestId, credentials: await registered(system, requestId) });
    } catch {
      acknowledged.cutOff.push(requestId);
      return;
    }
  }
}

async function authorizeUntilKilled(
  system: LocalSystem,
  app: Required<Credentials>,
  acknowledged: Acknowledged,
): Promise<void> {
  for (;;) {
    try {
      acknowledged.tokens.push({ token: await accessToken(system, app), key: app.subscriptionKey });
    } catch {
      return;
    }
  }
}

async function accessToken(system: LocalSystem, app: Required<Credentials>): Promise<string> {
  if (member === undefined) throw new Error(`no member of ${lob}`);
  return await memberToken(http, localOrigins(system, environment), member, app, redirectUri);
}

async function verify(system: LocalSystem, { registrations, cutOff, tokens }: Acknowledged) {
  const losses: string[] = [];
  let writesKept = 0;
  let repeatsMadeWhole = 0;
  for (const { requestId, credentials } of registrations) {
    const again = await registered(system, requestId);
    if (JSON.stringify(again) !== JSON.stringify(credentials)) {
      losses.push(`the registration ${requestId} is another one after the restart`);
    } else if (!(await usable(system, credentials))) {
      losses.push(`the credentials of ${requestId} don't work after the restart`);
    } else writesKept += 1;
  }
  for (const requestId of cutOff) {
    if (await usable(system, await registered(system, requestId))) repeatsMadeWhole += 1;
    else
      losses.push(`the registration ${requestId}, cut off and repeated, gives credentials that don't work`);
  }
  const origins = localOrigins(system, environment);
  for (const { token, key } of tokens) {
    const answer = await http({
      method: 'GET',
      url: `${fhirBase(origins, lob, 'patient-access')}/Patient/${member?.patientId}`,
      headers: { authorization: `Bearer ${token}`, 'x-api-subscription-key': key },
    });
    if (answer.status === 200) writesKept += 1;
    else losses.push(`a token given before the kill reads ${answer.status}`);
  }
  return { losses, writesKept, repeatsMadeWhole };
}

/**
 * Whether the credentials get a client-credentials token, which needs the key in API Gateway and the key, secret and state in the table.
 */
async function usable(system: LocalSystem, credentials: Required<Credentials>): Promise<boolean> {
  const answer = await http({
    method: 'POST',
    url: `${localOrigins(system, environment).token}/token/v2`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-api-subscription-key': credentials.subscriptionKey,
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
      scope: credentials.machineScope,
    }).toString(),
  });
  return answer.status === 200;
}
