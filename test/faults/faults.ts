import { type Fault, refusal } from '../support/faulty-proxy.ts';

/** Faults of a store call, by what happens to the call. */
export const faults: Readonly<Record<string, Fault>> = {
  'the call is lost': 'drop',
  'no answer ever comes': 'silence',
  'it is throttled': refusal('ProvisionedThroughputExceededException'),
  'it fails inside': refusal('InternalServerError', 500),
  'it is carried out and the answer lost': 'answer-lost',
  'it is carried out and the answer cut': 'answer-cut',
};

/** Number of attempts that meet the fault. `once`: the next attempt succeeds. `for good`: every attempt fails, and the act with them. */
export const durations = { once: 1, 'for good': 3 } as const;

/** Every fault with every duration. Silence for good is left out: it takes long and ends as lost calls do. */
export const cases = Object.entries(faults).flatMap(([fault, met]) =>
  (met === 'silence' ? (['once'] as const) : (['once', 'for good'] as const)).map((duration) => ({
    fault,
    met,
    duration,
  })),
);

/**
 * The cases for acts of many calls, without two faults that the store's port treats as others: an internal error as a throttle, a cut
 * answer as a lost one. All faults are tested with a Patient read, with a search and with the port (test/platform/table).
 */
export const distinctCases = cases.filter(
  ({ fault }) => fault !== 'it fails inside' && fault !== 'it is carried out and the answer cut',
);

/** The plan of a proxy: the first `at` calls succeed, and then as many attempts as the duration has meet the fault. */
export function planAt(at: number, met: Fault, duration: keyof typeof durations): readonly Fault[] {
  return [
    ...Array.from({ length: at }, (): Fault => 'none'),
    ...Array.from({ length: durations[duration] }, () => met),
  ];
}
