import { describe, expect, it } from 'vitest';
import {
  createSignIn,
  type MemberDirectory,
  normalizedUsername,
  type SignInAnswer,
  type SignInAttempts,
} from '../../../lambdas/authorization/accounts/sign-in.ts';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';

const own = {
  ...{ patientId: 'patient-1', memberId: 'DSNP0001', displayName: 'Rosa Ejemplo' },
  relationship: 'self',
} as const;

const refusalOf = (answer: SignInAnswer) => (answer.kind === 'refusal' ? answer.refusal : undefined);

/** Member ID and e-mail address of the member, who may sign in with either. */
const names = ['DSNP0001', 'rosa@example.org'];
const address = '192.0.2.1';

/** A directory of one member. It records what it is asked and which attempts are counted. */
function signInTo(lobs: readonly string[], answer?: 'unavailable') {
  const tried: string[] = [];
  const read: string[] = [];
  const right: string[] = [];
  const directory: MemberDirectory = {
    async find(username) {
      if (answer !== undefined) return { kind: answer };
      return names.includes(username)
        ? { kind: 'found' as const, sub: 'sub-1' }
        : { kind: 'unknown' as const };
    },
    async signIn(username, password) {
      tried.push(username);
      return names.includes(username) && password === 'right'
        ? { kind: 'verified' as const, sub: 'sub-1' }
        : { kind: 'refused' as const };
    },
  };
  const access = {
    async patientsOf(lob: string, { sub }: { readonly sub: string }) {
      read.push(sub);
      return lobs.includes(lob) && sub === 'sub-1' ? [own] : [];
    },
    // The epoch must be read before the password is tried, so that a password that is replaced meanwhile ends the new session. It equals
    // the number of passwords tried before it was read.
    async sessionEpochOf() {
      return tried.length;
    },
  };
  const failures = new Map<string, number>();
  const attempts: SignInAttempts = {
    async begin(account) {
      const before = failures.get(account) ?? 0;
      failures.set(account, before + 1);
      return before < 3 ? { kind: 'allowed', failures: before } : { kind: 'limited', retryAfterSeconds: 8 };
    },
    forgetAddressFailure: async (from) => void right.push(from),
  };
  const signIn = createSignIn(directory, access, attempts);
  return {
    ...{ tried, read, right, failures },
    signIn: (lob: LineOfBusiness, username: string, password: string) =>
      signIn(lob, username, password, address),
  };
}

describe('a member signing in', () => {
  it.each(names)('as %s is the patient of that LOB', async (name) => {
    const { signIn, right } = signInTo(['DSNP']);
    expect(await signIn('DSNP', name, 'right')).toEqual({
      kind: 'verified',
      account: { sub: 'sub-1', sessionEpoch: 0, patients: [own] },
      name: 'sub-1',
      failures: 0,
    });
    expect(right).toEqual([address]);
  });

  it.each([
    ['DSNP0001', 'wrong'],
    ['NOBODY', 'right'],
    ['', 'right'],
    ['   ', 'right'],
    ['DSNP0001', ''],
  ])('as %j with %j is refused', async (username, password) => {
    const { signIn, right } = signInTo(['DSNP']);
    expect(await signIn('DSNP', username, password)).toEqual({ kind: 'refusal', refusal: 'refused' });
    expect(right).toEqual([]);
  });

  it('without coverage in the LOB is refused with as much work, and counted, as with a wrong password', async () => {
    const { signIn, read, tried, right, failures } = signInTo(['MAPD']);
    expect(await signIn('DSNP', 'DSNP0001', 'right')).toEqual({ kind: 'refusal', refusal: 'not_covered' });
    expect(await signIn('DSNP', 'DSNP0001', 'wrong')).toEqual({ kind: 'refusal', refusal: 'refused' });
    expect(await signIn('DSNP', 'NOBODY', 'wrong')).toEqual({ kind: 'refusal', refusal: 'refused' });
    expect(read).toEqual(['sub-1', 'sub-1', 'NOBODY']);
    expect(tried).toHaveLength(3);
    expect(right).toEqual([]);
    expect(failures.get('sub-1')).toBe(2);
  });

  it('has failures counted for the account, at every LOB and under each of its names, however typed', async () => {
    const { signIn, tried } = signInTo(['DSNP']);
    const guesses = [
      ['DSNP', 'DSNP0001'],
      ['MAPD', 'dsnp 0001'],
      ['EGWP', 'Rosa@Example.org'],
      ['CHPMD', 'DSNP-0001'],
      ['DSNP', 'rosa@example.org '],
    ] as const;
    const answers = [];
    for (const [lob, name] of guesses) answers.push(refusalOf(await signIn(lob, name, 'wrong')));
    expect(answers).toEqual(['refused', 'refused', 'refused', 'locked', 'locked']);
    expect(tried).toHaveLength(3);
    expect(await signIn('DSNP', 'DSNP0001', 'right')).toEqual({
      kind: 'refusal',
      refusal: 'locked',
      retryAfterSeconds: 8,
    });
  });

  it('has failures counted under a name nobody has as well', async () => {
    const { signIn } = signInTo(['DSNP']);
    const answers = [];
    for (const lob of ['DSNP', 'MAPD', 'EGWP', 'MHBE'] as const) {
      answers.push(refusalOf(await signIn(lob, ' nobody', 'wrong')));
    }
    expect(answers).toEqual(['refused', 'refused', 'refused', 'locked']);
  });

  it('is told to come again when the directory does not answer', async () => {
    const { signIn, failures } = signInTo(['DSNP'], 'unavailable');
    expect(await signIn('DSNP', 'DSNP0001', 'right')).toEqual({ kind: 'refusal', refusal: 'unavailable' });
    expect(failures.size).toBe(0);
  });

  it('never reaches the directory with text no member has', async () => {
    const { tried, read, signIn } = signInTo(['DSNP']);
    await signIn('DSNP', `${'a'.repeat(250)}@example.org`, 'right');
    await signIn('DSNP', 'DSNP0001', 'p'.repeat(129));
    expect([...tried, ...read]).toEqual([]);
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
