/** Kinds of faults in a resource; loads have a reject code of the same name for each. */
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

/** A fault in a resource. It quotes definitions only, never a value of the resource. */
export interface Fault {
  readonly code: FaultCode;
  /** Path of the element: `item.0.adjudication.2.amount.value`. */
  readonly element: string;
  /** The expected value in words: `a date of the calendar: YYYY, YYYY-MM or YYYY-MM-DD`. */
  readonly expected: string;
}

/** Collects the faults of a resource, with the path of the value being checked. */
export interface FaultCollector {
  readonly faults: Fault[];
  /** Path from the resource to the value being checked: element names and list positions. */
  readonly at: (string | number)[];
}

/** Most faults that are reported for a resource. More of them mean an error in its source. */
export const mostFaults = 10;

/** Adds a fault of the value being checked, or of one of its elements. */
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

/** Returns an unknown property name only if it looks like an element's name, because other text could be a member's data. */
function toldName(name: string | number): string | number {
  return typeof name === 'number' || /^_?[A-Za-z][A-Za-z0-9]{0,63}$/.test(name) ? name : '(name)';
}
