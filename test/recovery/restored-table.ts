/** The drill `restored-table`: a defect damages data, and the table is restored to the minute before without reviving what was ended since. */

import { createHash, randomUUID } from 'node:crypto';
import type { OperatorGrantsAnswer } from '../../lambdas/authorization/connected-apps/operator-grants-contract.ts';
import type { ProvisioningAnswer } from '../../lambdas/clients/provisioning/provisioning-contract.ts';
import {
  applicationKey,
  auditKey,
  clientKey,
  grantPartition,
  patientAuditPartition,
  patientPartition,
  patientResourceKey,
  subscriptionKeyKey,
} from '../../lambdas/platform/table/table-keys.ts';
import { authorizeInBrowser } from '../../ops/demo/consent.ts';
import { expectEqual } from '../../ops/demo/expect.ts';
import { type AppCredentials, get, headersOf } from '../../ops/demo/patient-access.ts';
import { randomText, registerApp, type Scene } from '../../ops/demo/scene.ts';
import { redeemCode } from '../../ops/demo/tokens.ts';
import { carriedText } from '../../ops/recovery/carried-text.ts';
import {
  carryForward,
  firstSealKeys,
  keyText,
  type RecoveryTable,
  type StoredItem,
} from '../../ops/recovery/carry-forward.ts';
import { itemsOf, memoryTable } from './memory-table.ts';

export interface DrillDeps {
  readonly scene: Scene;
  /** The environment's own table, as far as these partitions. */
  readonly tableOf: (partitions: readonly string[]) => RecoveryTable;
  readonly operatorGrantsFunction: string;
  readonly print: (line: string) => void;
}

interface App extends AppCredentials {
  readonly clientId: string;
}

/**
 * Runs the drill on a local system. The two restores of point-in-time recovery are copies at these moments, of the partitions that the drill
 * itself changes, so that other users of the system notice nothing.
 *
 * @throws Unexpected if an answer is another than the drill expects.
 */
export async function drillRestoredTable(deps: DrillDeps): Promise<void> {
  const { scene, print } = deps;
  const [member] = scene.members;
  if (member === undefined) throw new Error('a line of business without members');
  const [kept, ended, suspended] = [
    await connect(scene, 'Kept App'),
    await connect(scene, 'Ended App'),
    await connect(scene, 'Suspended App'),
  ];
  const table = deps.tableOf(partitionsOf(scene, member.patientId, [kept, ended, suspended]));
  const before = await read(scene, kept, 200);
  await read(scene, ended, 200);
  await read(scene, suspended, 200);
  const earlier = await itemsOf(table);
  print(
    `14:05  three applications read the member's Patient (${earlier.length} items of member and applications)`,
  );

  await end(deps, ended.clientId, member.patientId);
  await suspend(scene, suspended.clientId);
  print('14:06  the member ends what one shares, and an operator suspends another');
  await damage(table, scene, member.patientId);
  expectEqual('whether the Patient is as before', (await read(scene, kept, 200)) === before, false);
  print('14:07  a defect damages the Patient');

  // The first seals show that both tables are of one environment.
  const newest = memoryTable([...(await itemsOf(table)), ...(await table.find(firstSealKeys))]);
  try {
    await restore(table, earlier, newest);
    expectEqual('the restored Patient', await read(scene, kept, 200), before);
    await read(scene, ended, 200);
    print(
      '14:10  the table is restored to 14:05: the Patient is right, and the ended application reads again',
    );
  } finally {
    // The record and what was decided must come back, whatever failed in between.
    for (const line of carriedText(await carryForward(newest, table, true))) print(`       ${line}`);
  }
  print('14:20  what was decided since is carried forward');

  expectEqual('the Patient in the end', await read(scene, kept, 200), before);
  await read(scene, ended, 401);
  const { status } = await answerTo(scene, suspended);
  expectEqual('whether the suspended application is refused', [401, 403].includes(status), true);
  print(`14:25  the Patient is right; the ended application gets 401, the suspended one ${status}`);
}

/** The partitions in which the drill writes, and in which reads of the member's data leave their events. */
function partitionsOf({ lob }: Scene, patientId: string, apps: readonly App[]): readonly string[] {
  return [
    patientPartition(lob, patientId),
    grantPartition(lob, patientId),
    patientAuditPartition(lob, patientId),
    ...apps.flatMap(({ clientId, subscriptionKey }) => [
      clientKey(clientId).pk,
      applicationKey(lob, clientId).pk,
      auditKey(lob, { clientId }, '', '').pk,
      subscriptionKeyKey(lob, sha256(subscriptionKey)).pk,
      subscriptionKeyKey('M2M', sha256(subscriptionKey)).pk,
    ]),
  ];
}

/** Gives the table the items of the earlier second, as a restore does. */
async function restore(
  table: RecoveryTable,
  earlier: readonly StoredItem[],
  newest: RecoveryTable,
): Promise<void> {
  const then = new Set(earlier.map(keyText));
  await table.put(earlier);
  for await (const page of newest.pages(true))
    await table.remove(page.filter((item) => !then.has(keyText(item))));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Registers an application, and connects it to the line of business's first member. */
async function connect(scene: Scene, clientName: string): Promise<App> {
  const [member] = scene.members;
  if (member === undefined) throw new Error('a line of business without members');
  const app = { clientName, attested: true, pkceRequired: true };
  const credentials = await registerApp(scene, app);
  const { clientId, subscriptionKey } = credentials;
  const codeVerifier = randomText();
  const { code } = await authorizeInBrowser(scene, member, {
    ...app,
    clientId,
    scope: 'openid patient/Patient.rs',
    path: `${scene.lob.toLowerCase()}/authorize`,
    codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
  });
  const redemption = { credentials, code, form: 'form', codeVerifier } as const;
  return {
    clientId,
    subscriptionKey,
    accessToken: await redeemCode(scene, redemption, member.patientId),
  };
}

async function answerTo(scene: Scene, app: App) {
  const [member] = scene.members;
  return await get(scene, `/extfhirpatientaccess/v1/Patient/${member?.patientId}`, headersOf(app));
}

async function read(scene: Scene, app: App, status: number): Promise<string> {
  const answer = await answerTo(scene, app);
  expectEqual('the status of the Patient', answer.status, status);
  return answer.body;
}

async function end({ scene, operatorGrantsFunction }: DrillDeps, clientId: string, patientId: string) {
  const answer = (await scene.invoke(operatorGrantsFunction, {
    action: 'end',
    lob: scene.lob,
    member: { patientId },
    applications: { clientId },
    reason: 'member_asked',
    requestId: randomUUID(),
  })) as OperatorGrantsAnswer;
  expectEqual('the end of the grant', answer.kind, 'ended');
}

async function suspend({ invoke, provisioningFunction }: Scene, clientId: string): Promise<void> {
  const request = { action: 'suspend', requestId: randomUUID(), clientId };
  const { kind } = (await invoke(provisioningFunction, request)) as ProvisioningAnswer;
  expectEqual('whether the suspension was refused', kind === 'refusal', false);
}

/** Overwrites the member's Patient, as a load with a defect would. */
async function damage(table: RecoveryTable, { lob }: Scene, patientId: string): Promise<void> {
  const { pk, sk } = patientResourceKey(lob, patientId, 'Patient', patientId);
  const [item] = await table.find([{ pk: { S: pk }, sk: { S: sk } }]);
  const text = (item?.json as { readonly S?: string } | undefined)?.S;
  if (item === undefined || text === undefined) throw new Error('the Patient is not stored as text');
  await table.put([{ ...item, json: { S: text.replace(/"family":"[^"]*"/, '"family":"Damaged"') } }]);
}
