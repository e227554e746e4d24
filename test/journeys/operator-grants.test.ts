import { expect, it } from 'vitest';
import { runOps } from '../../ops/program.ts';
import { memberToken, read } from './app-calls.ts';
import { memberOf, register, registrationOf } from './journey.ts';
import { systemFile } from './system-file.ts';

/** A member phones, and the operator's command line ends what they share, against the running system. */

const lob = 'CHPDC';
const member = memberOf('sandbox', lob);

async function grants(...args: string[]): Promise<{ readonly code: number; readonly text: string }> {
  const lines: string[] = [];
  const terminal = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) };
  const code = await runOps(['grants', ...args, '--lob', lob, '--system', systemFile()], {}, terminal);
  return { code, text: lines.join('\n') };
}

it('an operator sees what a member shares, and ends one application and then all', async () => {
  const named = (displayName: string) => register('sandbox', registrationOf(lob, { displayName }));
  const [blue, green] = [await named('Blue Steps'), await named('Green Walks')];
  const [blueToken, greenToken] = [await memberToken(blue, lob), await memberToken(green, lob)];
  expect(await read(blue, lob, blueToken)).toBe(200);

  const byMember = ['--member', member.memberId];
  const before = await grants('list', ...byMember);
  expect(before.text).toContain(`Patient ${member.patientId} shares data with:`);
  const day = new Date().toISOString().slice(0, 10);
  expect(before.text).toMatch(new RegExp(`Blue Steps +${blue.clientId} +${day}\\S+ +\\S+ +${day}`));
  expect(before.text).toMatch(new RegExp(`Green Walks +${green.clientId} +${day}\\S+ +\\S+ +never`));

  const ending = [...byMember, '--client', blue.clientId, '--reason', 'member_asked'];
  expect((await grants('end', ...ending, '--dry-run')).code).toBe(0);
  expect(await read(blue, lob, blueToken)).toBe(200);
  expect((await grants('end', ...ending)).code).toBe(0);
  expect(await read(blue, lob, blueToken)).toBe(401);
  expect(await read(green, lob, greenToken)).toBe(200);
  expect((await grants('end', ...ending)).code).toBe(1);

  const all = ['--patient', member.patientId, '--all', '--reason', 'representative_asked'];
  const ended = await grants('end', ...all);
  expect(ended.text).toContain(green.clientId);
  expect(await read(green, lob, greenToken)).toBe(401);
  expect((await grants('list', ...byMember)).text).toContain('shares data with no application');
});
