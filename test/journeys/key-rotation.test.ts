import { createHash, randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { expect, inject, it } from 'vitest';
import { authorizationServerEndpoints, fhirBase } from '../../lambdas/catalog/addresses.ts';
import { runOps } from '../../ops/program.ts';
import { decide, localFetch, memberOf, originsOf, redirectUri, register, registrationOf } from './journey.ts';

const lob = 'CHPMD';
const verifier = randomBytes(32).toString('base64url');

type App = Awaited<ReturnType<typeof register>>;

async function ops(...args: string[]): Promise<string> {
  const lines: string[] = [];
  const terminal = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) };
  const system = join(dirname(inject('systemFile')), 'system.json');
  const code = await runOps([...args, '--system', system], {}, terminal);
  expect(code, lines.join('\n')).toBe(0);
  return lines.join('\n');
}

async function memberToken(app: App, index = 0): Promise<string> {
  const origins = originsOf('sandbox');
  const { authorization, token } = authorizationServerEndpoints(origins, lob);
  const url = `${authorization}?${new URLSearchParams({
    client_id: app.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'launch/patient patient/Patient.rs',
    state: 'of-the-app',
    aud: fhirBase(origins, lob, 'patient-access'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })}`;
  const back = await decide(url, memberOf('sandbox', lob, index));
  const answer = await localFetch(token, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`,
    },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  });
  const { access_token } = (await answer.json()) as { access_token?: string };
  if (access_token === undefined) throw new Error(`no token: ${answer.status}`);
  return access_token;
}

async function machineToken(app: App): Promise<string> {
  const answer = await localFetch(`${originsOf('sandbox').token}/token/v2`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-api-subscription-key': app.subscriptionKey,
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: app.clientId,
      client_secret: app.clientSecret,
      scope: app.machineScope ?? '',
    }),
  });
  const { access_token } = (await answer.json()) as { access_token?: string };
  if (access_token === undefined) throw new Error(`no machine token: ${answer.status}`);
  return access_token;
}

async function read(app: App, token: string): Promise<number> {
  const { patientId } = memberOf('sandbox', lob);
  const answer = await localFetch(
    `${fhirBase(originsOf('sandbox'), lob, 'patient-access')}/Patient/${patientId}`,
    { headers: { authorization: `Bearer ${token}`, 'x-api-subscription-key': app.subscriptionKey } },
  );
  await answer.text();
  return answer.status;
}

async function publishedKids(): Promise<string[]> {
  const { jwks } = authorizationServerEndpoints(originsOf('sandbox'), lob);
  const { keys } = (await (await localFetch(jwks)).json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

it('loses no request while keys rotate, and no token issued before', async () => {
  // One for each kind of call, so that no usage plan's rate is reached.
  const [reader, machine, signer] = await Promise.all(
    [0, 1, 2].map(() => register('sandbox', registrationOf(lob))),
  );
  if (reader === undefined || machine === undefined || signer === undefined) throw new Error('no apps');
  const before = await memberToken(reader);
  const failures: string[] = [];
  const calls = { reads: 0, machines: 0, members: 0 };
  let over = false;
  const repeatedly = async (pauseMs: number, call: () => Promise<string | undefined>) => {
    while (!over) {
      const failure = await call().catch((error: unknown) => String(error));
      if (failure !== undefined) failures.push(failure);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const load = [
    repeatedly(150, async () => {
      calls.reads += 1;
      const status = await read(reader, before);
      return status === 200 ? undefined : `a read was answered with ${status}`;
    }),
    repeatedly(300, async () => {
      calls.machines += 1;
      // The token is good and reads no member: 403. 401 would say that its key is unknown.
      const status = await read(machine, await machineToken(machine));
      return status === 403 ? undefined : `a machine's call was answered with ${status}`;
    }),
    repeatedly(500, async () => {
      calls.members += 1;
      const status = await read(signer, await memberToken(signer));
      return status === 200 ? undefined : `a new token's read was answered with ${status}`;
    }),
  ];
  for (let round = 0; round < 3; round += 1) {
    await Promise.all([ops('keys', 'rotate', '--lob', lob), ops('keys', 'rotate', '--lob', 'M2M')]);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  over = true;
  await Promise.all(load);
  expect(failures).toEqual([]);
  for (const made of Object.values(calls)) expect(made).toBeGreaterThan(3);
  expect(await publishedKids()).toContain(decodeProtectedHeader(before).kid);
}, 120_000);

it('publishes a removed key no more, and signs with another at once where nobody remembers it', async () => {
  const [current] = await publishedKids();
  expect(await ops('keys', 'remove', '--lob', lob, '--kid', current ?? '')).not.toContain(current);
  expect(await publishedKids()).not.toContain(current);
  expect(await publishedKids()).not.toEqual([]);
});
