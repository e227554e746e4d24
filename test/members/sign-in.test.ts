import { describe, expect, it } from 'vitest';
import { createSignIn, type MemberDirectory, normalizedUsername } from '../../lambdas/members/sign-in.ts';

const link = { patientId: 'patient-1', displayName: 'Rosa Ejemplo' };

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
  return { asked, signIn: createSignIn(directory, links) };
}

describe('a member signing in', () => {
  it('is the patient of that LOB', async () => {
    const { signIn } = signInTo(['DSNP']);
    expect(await signIn('DSNP', 'DSNP0001', 'right')).toEqual({ member: { sub: 'sub-1', ...link } });
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
