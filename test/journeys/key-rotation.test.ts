import { decodeProtectedHeader } from 'jose';
import { expect, it } from 'vitest';
import { authorizationServerEndpoints } from '../../lambdas/catalog/addresses.ts';
import { runOps } from '../../ops/program.ts';
import { createLoad, machineToken, memberToken, read } from './app-calls.ts';
import { localFetch, originsOf, register, registrationOf } from './journey.ts';
import { systemFile } from './system-file.ts';

const lob = 'CHPMD';
async function ops(...args: string[]): Promise<string> {
  const lines: string[] = [];
  const terminal = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) };
  const system = systemFile();
  const code = await runOps([...args, '--system', system], {}, terminal);
  expect(code, lines.join('\n')).toBe(0);
  return lines.join('\n');
}

async function publishedKids(): Promise<string[]> {
  const { jwks } = authorizationServerEndpoints(originsOf('sandbox'), lob);
  const { keys } = (await (await localFetch(jwks)).json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

it('loses no request while keys rotate, and no token issued before', async () => {
  // An app for each kind of call, so that no usage plan's rate is reached.
  const [reader, machine, signer] = await Promise.all(
    [0, 1, 2].map(() => register('sandbox', registrationOf(lob))),
  );
  if (reader === undefined || machine === undefined || signer === undefined) throw new Error('no apps');
  const before = await memberToken(reader, lob);
  const load = createLoad();
  const calls = { reads: 0, machines: 0, members: 0 };
  const kinds = ['reads', 'machines', 'members'] as const;
  load.repeatedly(150, async () => {
    calls.reads += 1;
    const status = await read(reader, lob, before);
    return status === 200 ? undefined : `a read was answered with ${status}`;
  });
  load.repeatedly(300, async () => {
    calls.machines += 1;
    // The token is valid and has no member, hence 403. An unknown signing key would give 401.
    const status = await read(machine, lob, await machineToken(machine));
    return status === 403 ? undefined : `a machine's call was answered with ${status}`;
  });
  load.repeatedly(500, async () => {
    calls.members += 1;
    const status = await read(signer, lob, await memberToken(signer, lob));
    return status === 200 ? undefined : `a new token's read was answered with ${status}`;
  });
  for (let round = 0; round < 3; round += 1) {
    await Promise.all([ops('keys', 'rotate', '--lob', lob), ops('keys', 'rotate', '--lob', 'M2M')]);
    const rotated = { ...calls };
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    // Waits for a call of each kind between two rotations, also on a slow machine.
    await expect
      .poll(() => kinds.every((kind) => calls[kind] > rotated[kind]), { timeout: 60_000 })
      .toBe(true);
  }
  await load.end();
  expect(load.failures).toEqual([]);
  expect(await publishedKids()).toContain(decodeProtectedHeader(before).kid);
});

it('publishes a removed key no more, and signs with another at once where nobody remembers it', async () => {
  const [current] = await publishedKids();
  expect(await ops('keys', 'remove', '--lob', lob, '--kid', current ?? '')).not.toContain(current);
  expect(await publishedKids()).not.toContain(current);
  expect(await publishedKids()).not.toEqual([]);
});
