import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMask } from '../../../ops/demo/mask.ts';
import { createScene } from '../../../ops/demo/scene.ts';
import { createTranscript } from '../../../ops/demo/transcript.ts';
import type { HttpResponse } from '../../../ops/http/client.ts';
import type { Smoke } from '../../../ops/smoke/check.ts';
import { runChecks } from '../../../ops/smoke/smoke.ts';
import type { SmokeTarget } from '../../../ops/smoke/target.ts';

/** Account of which the stand-in of STS says that the credentials are. */
let account = '111122223333';
let server: Server;
beforeAll(async () => {
  server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/xml');
    response.end(
      `<GetCallerIdentityResponse><GetCallerIdentityResult><Account>${account}</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

/** A smoke test whose environment answers with this issuer; `acts` has what would have changed it. */
function smokeOf(environment: SmokeTarget['environment'], issuer: string) {
  const acts: unknown[] = [];
  const origins = {
    auth: 'https://auth.plan.example',
    token: 'https://token.plan.example',
    apiTemplate: 'https://{lob}.api.plan.example',
  };
  const mask = createMask();
  const { port } = server.address() as AddressInfo;
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'secret' };
  const system = { port, awsEndpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', credentials };
  const functions = {
    sandbox: { provisioning: '', ingest: '' },
    production: { provisioning: '', ingest: '' },
  };
  const provisioningFunction = `member-data-${environment}-provisioning`;
  const answer: HttpResponse = { status: 200, headers: {}, body: JSON.stringify({ issuer }) };
  const act = async (...words: readonly unknown[]) => {
    acts.push(words);
    return { code: 1, out: '', err: '' };
  };
  const smoke: Smoke = {
    target: {
      environment,
      origins,
      linesOfBusiness: ['DSNP'],
      account: '111122223333',
      region: 'us-east-1',
      provisioningFunction,
      variables: {},
      local: { system: { ...system, functions }, file: '' },
    },
    lob: 'DSNP',
    lobs: ['DSNP'],
    scene: (lob) => {
      const transcript = createTranscript(
        async () => answer,
        mask,
        () => {},
      );
      return createScene({ environment, lob, origins, provisioningFunction, invoke: act, transcript });
    },
    ops: act,
    recipient: { email: undefined, phone: undefined, codeSentTo: async () => undefined },
    pause: async () => {},
  };
  return { smoke, acts, mask };
}

async function outcomes({ smoke, mask }: ReturnType<typeof smokeOf>, mayWrite: boolean) {
  const all = await runChecks(smoke, mayWrite, mask, () => {});
  return Object.fromEntries(all.map(({ check, state, saw }) => [check, { state, saw }]));
}

const ownIssuer = 'https://auth.plan.example/fhir-oauth2/dsnp';

describe('a smoke test', () => {
  it.each([
    [
      'hosts that name another issuer',
      '111122223333',
      'https://auth.other.example/fhir-oauth2/dsnp',
      'issuer',
    ],
    ['credentials of another account', '999900001111', ownIssuer, 'account of the credentials'],
  ])('writes nothing with %s', async (_what, caller, issuer, named) => {
    account = caller;
    const tested = smokeOf('sandbox', issuer);
    const { environment, ...others } = await outcomes(tested, true);
    expect(environment).toMatchObject({ state: 'failed', saw: expect.stringContaining(named) });
    expect(new Set(Object.values(others).map(({ state }) => state))).toEqual(new Set(['skipped']));
    expect(tested.acts).toEqual([]);
  });

  it('only reads where it may not write, and says how to allow it', async () => {
    account = '111122223333';
    const tested = smokeOf('production', ownIssuer);
    const { environment, metadata, transactions } = await outcomes(tested, false);
    expect(environment?.state).toBe('passed');
    // The scripted host has no CapabilityStatement: the check ran, and failed.
    expect(metadata?.state).toBe('failed');
    expect(transactions).toEqual({
      state: 'skipped',
      saw: expect.stringContaining('--allow-synthetic-data'),
    });
    expect(tested.acts).toEqual([]);
  });

  it('goes on after a failed check, and leaves out what needs a recipient', async () => {
    account = '111122223333';
    const { drop, messages } = await outcomes(smokeOf('sandbox', ownIssuer), true);
    expect(drop?.state).toBe('failed');
    expect(messages).toEqual({ state: 'skipped', saw: expect.stringContaining('--mail') });
  });
});
