import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../lambdas/catalog/environments.ts';
import { expectEqual } from '../demo/expect.ts';
import type { SyntheticMember } from '../generator/members.ts';
import type { RunCommand } from './check.ts';

/** Loads synthetic members by the operator's command, which leaves unchanged what is loaded already. */
export async function loadSyntheticMembers(
  ops: RunCommand,
  environment: Environment,
  members: readonly SyntheticMember[],
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'smoke-members-'));
  try {
    const file = join(folder, 'members.ndjson');
    writeFileSync(file, members.map((member) => `${JSON.stringify(member)}\n`).join(''));
    const { code, out, err } = await ops('members', 'load', '--file', file, '-e', environment);
    const said = code === 0 ? '' : out + err;
    expectEqual('the load of the synthetic members', { code, said }, { code: 0, said: '' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
