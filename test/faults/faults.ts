import { type Fault, refusal } from '../support/faulty-proxy.ts';

/** A fault of a store call. */
export const faults: Readonly<Record<string, Fault>> = {
  'the call is lost': 'drop',
  'no answer ever comes': 'silence',
  'it is throttled': refusal('ProvisionedThroughputExceededException'),
  'it fails inside': refusal('InternalServerError', 500),
  'it is carried out and the answer lost': 'answer-lost',
  'it is carried out and the answer cut': 'answer-cut',
};

/** `once`: the next attempt succeeds. `for good`: no attempt does, and the act fails. */
export const durations = { once: 1, 'for good': 3 } as const;

/** Every fault for every duration. Silence for good ends as lost calls do, and takes its time: once is enough of it. */
export const cases = Object.entries(faults).flatMap(([fault, met]) =>
  (met === 'silence' ? (['once'] as const) : (['once', 'for good'] as const)).map((duration) => ({
    fault,
    met,
    duration,
  })),
);

/**
 * One fault of each sort, for acts of many calls: to the store’s port what fails inside is what is throttled, and a cut answer a lost one. A
 * patient’s read and a search are broken in all ways, and the port itself (test/platform/table).
 */
export const distinctCases = cases.filter(
  ({ fault }) => fault !== 'it fails inside' && fault !== 'it is carried out and the answer cut',
);

/** The faults of a plan that leaves `at` calls alone and then breaks as many attempts as the duration says. */
export function planAt(at: number, met: Fault, duration: keyof typeof durations): readonly Fault[] {
  return [
    ...Array.from({ length: at }, (): Fault => 'none'),
    ...Array.from({ length: durations[duration] }, () => met),
  ];
}
