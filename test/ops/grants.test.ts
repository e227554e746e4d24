import { describe, expect, it } from 'vitest';
import type { OperatorGrantsAnswer } from '../../lambdas/authorization/connected-apps/operator-grants-contract.ts';
import { operatorGrantsRequest } from '../../lambdas/authorization/connected-apps/operator-grants-contract.ts';
import { readCommandLine } from '../../ops/command-line/command.ts';
import type { CommandContext } from '../../ops/command-line/operation.ts';
import { commands } from '../../ops/program.ts';

function run(
  line: string,
  answer: OperatorGrantsAnswer = { kind: 'applications', patientId: 'p1', applications: [] },
) {
  const read = readCommandLine(commands, line.split(' '));
  if (read === undefined) throw new Error('no command');
  const { command, values, words } = read;
  const printed: string[] = [];
  const asked: unknown[] = [];
  const operation: CommandContext = {
    values: { ...values, function: 'operator-grants' },
    words,
    print: (text) => printed.push(text),
    note: () => {},
    async invoke(_name, payload) {
      asked.push(payload);
      return answer;
    },
    system: undefined,
    variables: {},
  };
  const done = Promise.resolve().then(() => command.run(operation));
  return { done, asked, printed: () => printed.join('\n') };
}

describe('grants list', () => {
  it('asks by the member id in either case, or by the id of the Patient', async () => {
    const byMember = run('grants list --lob dsnp --member dsnp000001');
    expect(await byMember.done).toBe(0);
    expect(byMember.asked).toEqual([{ action: 'list', lob: 'DSNP', member: { memberId: 'DSNP000001' } }]);
    expect(byMember.printed()).toBe('Patient p1 shares data with no application.');
    const byPatient = run('grants list --lob DSNP --patient p1');
    await byPatient.done;
    expect(byPatient.asked).toEqual([{ action: 'list', lob: 'DSNP', member: { patientId: 'p1' } }]);
  });

  it('shows each application with its time, its last access and its scopes', async () => {
    const time = { since: '2026-01-02T00:00:00.000Z', until: '2027-01-02T00:00:00.000Z' };
    const applications = [
      { clientId: 'c1', name: 'Blue Steps', scopes: ['openid', 'patient/Patient.read'], ...time },
      { clientId: 'c2', name: 'Green Walks', scopes: [], ...time, lastAccess: '2026-05-01T10:00:00.000Z' },
      { clientId: 'c3', scopes: [], ...time, notReadSince: '2026-04-01T00:00:00.000Z' },
    ];
    const { done, printed } = run('grants list --lob DSNP --patient p1', {
      ...{ kind: 'applications', patientId: 'p1', applications },
    });
    expect(await done).toBe(0);
    expect(printed()).toMatch(/Blue Steps +c1 +2026-01-02\S+ +2027-01-02\S+ +never +openid patient\/Patient/);
    expect(printed()).toMatch(/Green Walks +c2 .*2026-05-01T10:00:00.000Z$/m);
    expect(printed()).toMatch(/\(no longer registered\) +c3 .*before 2026-04-01T00:00:00.000Z, or never$/m);
  });
});

describe('grants end', () => {
  const line = 'grants end --lob DSNP --member DSNP000001 --reason member_asked';

  it.each([
    ['--client c1', { clientId: 'c1' }],
    ['--all', 'all'],
  ])('asks to end %s, with a code of the list', async (which, applications) => {
    const ended = [{ grantId: 'g1', clientId: 'c1' }];
    const { done, asked, printed } = run(`${line} ${which}`, { kind: 'ended', patientId: 'p1', ended });
    expect(await done).toBe(0);
    const { requestId, ...request } = operatorGrantsRequest.parse(asked[0]) as Record<string, unknown>;
    const member = { memberId: 'DSNP000001' };
    expect(request).toEqual({ action: 'end', lob: 'DSNP', member, applications, reason: 'member_asked' });
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(printed()).toMatch(/g1 +c1\n\nThe next call by each of these applications is refused\./);
  });

  it('shows what it would send, and sends nothing', async () => {
    const { done, asked, printed } = run(`${line} --all --dry-run`);
    expect(await done).toBe(0);
    expect(asked).toEqual([]);
    expect(operatorGrantsRequest.parse(JSON.parse(printed()))).toMatchObject({ action: 'end' });
  });

  it.each([
    ['member_unknown', 'no member with this ID'],
    ['not_shared', 'shares nothing with this application'],
  ] as const)('says why it is refused: %s', async (reason, words) => {
    const { done, printed } = run(`${line} --client c1`, { kind: 'refusal', reason });
    expect(await done).toBe(1);
    expect(printed()).toContain(words);
  });

  it('says that no grant was ended', async () => {
    const { done, printed } = run(`${line} --all`, { kind: 'ended', patientId: 'p1', ended: [] });
    expect(await done).toBe(0);
    expect(printed()).toContain('No grant was ended');
  });
});

it.each([
  ['grants stop --lob DSNP', /use list, end/],
  ['grants list --member DSNP000001', /--lob/],
  ['grants list --lob DSNP,MAPD --member DSNP000001', /--lob/],
  ['grants list --lob DSNP', /--member/],
  ['grants list --lob DSNP --member DSNP000001 --patient p1', /give either/],
  ['grants list --lob DSNP --member x', /must be a member identifier/],
  ['grants list --lob DSNP --patient ../p1', /must be the ID of a Patient/],
  ['grants list --lob DSNP --patient p1 --all', /no option --all/],
  ['grants list --lob DSNP --patient p1 p2', /expected: grants list/],
  ['grants end --lob DSNP --patient p1 --reason member_asked', /either --client/],
  ['grants end --lob DSNP --patient p1 --reason member_asked --client c1 --all', /either --client/],
  ['grants end --lob DSNP --patient p1 --all', /--reason must be one of member_asked, /],
  ['grants end --lob DSNP --patient p1 --all --reason angry', /--reason must be one of/],
  ['grants end --lob DSNP --patient p1 --all --reason toString', /--reason must be one of/],
])('says what is wrong with %s', async (wrong, message) => {
  await expect((async () => await run(wrong).done)()).rejects.toThrow(message);
});

it('has help that names each reason', () => {
  const printed: string[] = [];
  readCommandLine(commands, ['grants', 'end', '--help'], (text) => printed.push(text));
  expect(printed.join()).toContain('not_the_member');
});
