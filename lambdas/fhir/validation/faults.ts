/** Kinds of faults of a resource; loads have a reject code of the same name for each. */
export type FaultCode =
  | 'unknown_element'
  | 'missing_element'
  | 'too_many_values'
  | 'wrong_type'
  | 'malformed_value'
  | 'empty_value'
  | 'unknown_code'
  | 'other_value'
  | 'implausible_value'
  | 'too_deep'
  | 'too_many_elements'
  | 'text_too_long';

/** A fault of a resource. It holds names of definitions, and no value of the resource. */
export interface Fault {
  readonly code: FaultCode;
  /** Path of the element: `item.0.adjudication.2.amount.value`. */
  readonly element: string;
  /** Text of the expectation: `a date of the calendar: YYYY, YYYY-MM or YYYY-MM-DD`. */
  readonly expected: string;
}

/** Collects the faults of a resource; knows where in it the check is. */
export interface FaultCollector {
  readonly faults: Fault[];
  /** Names and list positions from the resource to the value that is checked. */
  readonly at: (string | number)[];
}

/** Faults that are reported of a resource; with more, its source is wrong rather than the resource. */
export const mostFaults = 10;

/** Adds a fault at the value that is checked, or at an element of it. */
export function addFault(
  { faults, at }: FaultCollector,
  code: FaultCode,
  expected: string,
  name?: string | number,
): void {
  if (faults.length >= mostFaults) return;
  const path = name === undefined ? at : [...at, name];
  faults.push({ code, element: path.map(toldName).join('.'), expected });
}

/** Reports an unknown name only if it looks like an element's name: other text could be a member's data. */
function toldName(name: string | number): string | number {
  return typeof name === 'number' || /^_?[A-Za-z][A-Za-z0-9]{0,63}$/.test(name) ? name : '(name)';
}
