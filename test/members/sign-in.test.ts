import { describe, expect, it } from 'vitest';
import {
  createSignIn,
  type MemberDirectory,
  normalizedUsername,
  type SignInAttempts,
} from '../../lambdas/members/sign-in.ts';

const link = { patientId: 'patient-1', memberId: 'DSNP0001', displayName: 'Rosa Ejemplo' };

/** A directory of one member; it keeps what it was asked. */
function signInTo(lobs: readonly string[], answer?: 'unavailable') {
  const asked: string[] = [];
  const directory: MemberDirectory = {
    async signIn(username, password) {
      asked.push(username);
      if (answer !== undefined) return answer;
      return username === 'DSNP0001' && password === 'right' ? { sub: 'sub-1' } : 'refused';
    },
  };
  const links = { find: async (lob: string) => (lobs.includes(lob) ? link : undefined) };
  const failures = new Map<string, number>();
  const attempts: SignInAttempts = {
    async begin(lob, name) {
      const before = failures.get(`${lob} ${name}`) ?? 0;
      failures.set(`${lob} ${name}`, before + 1);
      return before < 2 ? { allowed: true, failures: before } : { allowed: false, retryAfterSeconds: 8 };
    },
  };
  return { asked, signIn: createSignIn(directory, links, attempts) };
}

describe('a member signing in', () => {
  it('is the patient of that LOB', async () => {
    const { signIn } = signInTo(['DSNP']);
    expect(await signIn('DSNP', 'DSNP0001', 'right')).toEqual({
      member: { sub: 'sub-1', patientId: link.patientId, displayName: link.displayName },
      name: 'DSNP0001',
      failures: 0,
    });
  });

  it.each([
    ['DSNP0001', 'wrong'],
    ['NOBODY', 'right'],
    ['', 'right'],
    ['   ', 'right'],
    ['DSNP0001', ''],
  ])('as %j with %j is refused', async (username, password) => {
    expect(await signInTo(['DSNP']).signIn('DSNP', username, password)).toEqual({ refusal: 'refused' });
  });

  it('without coverage in the LOB is told so, but only with the right password', async () => {
    const { signIn } = signInTo(['MAPD']);
    expect(await signIn('DSNP', 'DSNP0001', 'right')).toEqual({ refusal: 'not_covered' });
    expect(await signIn('DSNP', 'DSNP0001', 'wrong')).toEqual({ refusal: 'refused' });
  });

  it.each([
    ['DSNP0001', 'with an account'],
    ['NOBODY', 'without one'],
  ])('too often under %s, %s, is not asked of the directory any more, however it is typed', async (name) => {
    const { asked, signIn } = signInTo(['DSNP']);
    const typed = [name, ` ${name.toLowerCase()}`, name, name];
    const answers = [];
    for (const username of typed) answers.push(await signIn('DSNP', username, 'wrong'));
    expect(answers).toEqual([
      { refusal: 'refused' },
      { refusal: 'refused' },
      { refusal: 'locked', retryAfterSeconds: 8 },
      { refusal: 'locked', retryAfterSeconds: 8 },
    ]);
    expect(asked).toEqual([name, name]);
    expect(await signIn('MAPD', name, 'wrong')).toEqual({ refusal: 'refused' });
  });

  it('is told to come again when the directory does not answer', async () => {
    const { signIn } = signInTo(['DSNP'], 'unavailable');
    expect(await signIn('DSNP', 'DSNP0001', 'right')).toEqual({ refusal: 'unavailable' });
  });

  it('never reaches the directory with text no member has', async () => {
    const { asked, signIn } = signInTo(['DSNP']);
    await signIn('DSNP', `${'a'.repeat(250)}@example.org`, 'right');
    await signIn('DSNP', 'DSNP0001', 'p'.repeat(129));
    expect(asked).toEqual([]);
  });

  it.each([
    [' dsnp0001 ', 'DSNP0001'],
    ['DSNP 0001', 'DSNP0001'],
    ['dsnp-0001', 'DSNP0001'],
    ['Rosa@Example.ORG ', 'rosa@example.org'],
    ['first-last@example.org', 'first-last@example.org'],
  ])('may type %j for %j', (typed, meant) => {
    expect(normalizedUsername(typed)).toBe(meant);
  });
});
