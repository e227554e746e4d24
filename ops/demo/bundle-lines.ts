/** Formats the lines that the demo prints for a Bundle and its resources. `patient-check.ts` checks their content. */

/** Parsed JSON of any shape; a missing value is printed as an empty text. */
type Loose =
  | { readonly [name: string]: Loose }
  | readonly Loose[]
  | string
  | number
  | boolean
  | null
  | undefined;

/** Follows a path into parsed JSON; undefined if it leads nowhere. */
function at(value: Loose, ...names: readonly (string | number)[]): Loose {
  return names.reduce<Loose>(
    (part, name) =>
      typeof part === 'object' && part !== null ? (part as { [name: string]: Loose })[name] : undefined,
    value,
  );
}

function text(value: Loose): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function list(value: Loose): readonly Loose[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Formats a Bundle for a person: its links, and a line for each resource.
 *
 * @returns undefined if the JSON is not a Bundle.
 */
export function bundleLines(json: unknown): string[] | undefined {
  const bundle = json as Loose;
  if (at(bundle, 'resourceType') !== 'Bundle') return undefined;
  const entries = list(at(bundle, 'entry'));
  return [
    `[Bundle] ${entries.length} of ${text(at(bundle, 'total'))}`,
    ...list(at(bundle, 'link')).map((link) => `  ${text(at(link, 'relation'))}: ${text(at(link, 'url'))}`),
    ...entries.map((entry) => `  ${resourceLine(at(entry, 'resource'))}`),
  ];
}

function resourceLine(resource: Loose): string {
  switch (at(resource, 'resourceType')) {
    case 'ExplanationOfBenefit':
      return claimLine(resource);
    case 'Coverage':
      return coverageLine(resource);
    case 'Observation':
      return observationLine(resource);
    default:
      return `${text(at(resource, 'resourceType'))}/${text(at(resource, 'id'))}`;
  }
}

/** A line with the date, what was observed, and the value with its unit. */
function observationLine(observation: Loose): string {
  const value = [at(observation, 'valueQuantity', 'value'), at(observation, 'valueQuantity', 'unit')].map(
    text,
  );
  const what = text(at(observation, 'code', 'text'));
  return `${text(at(observation, 'effectiveDateTime'))} ${what} ${value.join(' ')}`.trimEnd();
}

/** A line with the date, kind, provider, billed amount, amount paid by the plan, and amount the member owes. */
function claimLine(claim: Loose): string {
  const kind = [at(claim, 'type', 'text'), at(claim, 'subType', 'text')].map(text).filter((it) => it !== '');
  const amount = (...codes: readonly string[]): string => {
    const totals = list(at(claim, 'total')).filter((it) =>
      codes.includes(text(at(it, 'category', 'coding', 0, 'code'))),
    );
    const cents = totals.reduce<number>(
      (sum, it) => sum + Math.round(Number(at(it, 'amount', 'value')) * 100),
      0,
    );
    return (cents / 100).toFixed(2).padStart(9);
  };
  const canceled = at(claim, 'status') === 'cancelled' ? '  (canceled)' : '';
  return [
    text(at(claim, 'billablePeriod', 'start')),
    kind.join(', ').padEnd(25),
    text(at(claim, 'provider', 'display')).padEnd(28),
    `billed ${amount('submitted')}`,
    `paid ${amount('paidtoprovider', 'paidtopatient')}`,
    `member owes ${amount('memberliability')}${canceled}`,
  ].join('  ');
}

function coverageLine(coverage: Loose): string {
  const plan = list(at(coverage, 'class')).find((it) => at(it, 'type', 'coding', 0, 'code') === 'plan');
  return [
    `${text(at(coverage, 'period', 'start'))} to ${text(at(coverage, 'period', 'end')) || 'now'}`.padEnd(25),
    text(at(coverage, 'payor', 0, 'display')),
    `plan ${text(at(plan, 'value'))}`,
    text(at(coverage, 'relationship', 'coding', 0, 'code')),
  ].join('  ');
}
