import type { openSignIn } from '../authorization/journey.ts';
import fc from '../support/property.ts';
import type { Application } from '../support/whole-world.ts';
import type { Model } from './model.ts';

const pick = fc.nat({ max: 4 });
/** Mostly true, since a stolen code or a wrong verifier ends most of the run. */
export const mostly = fc.nat({ max: 6 }).map((drawn) => drawn > 0);
export const event = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('authorize' as const), lasting: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('sign-in' as const), pick, keep: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('continue' as const), pick, lasting: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('silent' as const), pick, lasting: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sign-out' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stop' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('share' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('decline' as const), pick }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('redeem' as const),
      pick,
      own: mostly,
      proven: mostly,
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('refresh' as const), pick, own: mostly }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke' as const), pick, own: mostly }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('suspend' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resume' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      seconds: fc.constantFrom(
        1,
        29,
        30,
        31,
        59,
        60,
        899,
        900,
        1_799,
        1_800,
        99 * 86_400,
        100 * 86_400,
        300 * 86_400,
      ),
    }),
  },
);
export type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;
export type Of<Kind extends Event['kind']> = Extract<Event, { kind: Kind }>;

/** One run: the model, the application, and the codes, tokens and cookies it was given, in the model's order. */
export interface Run {
  readonly model: Model;
  readonly application: Application;
  /** ID in the audit events of every request to the token endpoints. */
  readonly requestId: string;
  readonly opened: Awaited<ReturnType<typeof openSignIn>>[];
  /** Cookies of the SSO sessions. */
  readonly ssoSessions: string[];
  readonly codes: string[];
  readonly accessTokens: string[];
  readonly refreshTokens: string[];
}

/** Index of the element that an event is about; undefined for an empty list. */
export function chosen(list: readonly unknown[], at: number): number | undefined {
  return list.length === 0 ? undefined : at % list.length;
}

export const scopeOf = (lasting: boolean) =>
  lasting ? 'openid patient/*.read offline_access' : 'openid patient/*.read';
