/** Makes a member's claims from a claim history, in the order of their services. */

import { daysAfter } from '../record/dates.ts';
import type { Parties, Party } from '../record/parties.ts';
import type { SyntheticPerson } from '../record/patient.ts';
import { type PseudoRandom, pseudoRandom } from '../record/pseudo-random.ts';
import type { Claim, SettledLine } from './claim.ts';
import type { ClaimHistory } from './claim-histories.ts';
import { type Benefits, createBenefits, deniedShares, outsideNetwork } from './cost-shares.ts';
import type { Enrolment } from './coverage.ts';
import type { DatedTreatment } from './dated-treatment.ts';
import type { Handling, PlannedService } from './model.ts';
import { treatments } from './treatments.ts';

export interface ClaimContext {
  readonly person: SyntheticPerson;
  readonly parties: Parties;
  readonly enrolments: readonly Enrolment[];
  readonly subscriber: Party | undefined;
}

/** A service at a date, with the special case of its claim. */
interface Occurrence {
  readonly service: PlannedService;
  readonly start: string;
  readonly exception?: DatedTreatment['exception'];
}

/** Generates a member's claims in the order of their services, in which the deductible is used up. */
export function claimsOfMember(seed: string, history: ClaimHistory, context: ClaimContext): readonly Claim[] {
  const benefits = createBenefits(context.person.lob);
  return occurrences(seed, history).flatMap((occurrence, at) =>
    decided(pseudoRandom(`${seed}/claim/${at}`), occurrence, context, benefits),
  );
}

function occurrences(seed: string, { treatments: dated, only }: ClaimHistory): readonly Occurrence[] {
  return dated
    .flatMap(({ treatment, month, day, refill, exception, exceptionalKind }, at) => {
      const began = daysAfter(
        `${month}-01`,
        day === undefined ? pseudoRandom(`${seed}/chapter/${at}`).integer(1, 20) : day - 1,
      );
      const services = treatments[treatment].map(
        (service: PlannedService): PlannedService =>
          service.kind === 'pharmacy' && refill !== undefined ? { ...service, refill } : service,
      );
      const own = services.filter(({ kind }) => only === undefined || kind === only);
      const exceptional = own.find(({ kind }) => kind === (exceptionalKind ?? kind));
      return own.map((service): Occurrence => {
        const start = daysAfter(began, service.day);
        return { service, start, ...(exception !== undefined && service === exceptional && { exception }) };
      });
    })
    .sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
}

/** The claims of a service: one, or two if it was submitted twice or corrected. */
function decided(
  random: PseudoRandom,
  occurrence: Occurrence,
  context: ClaimContext,
  benefits: Benefits,
): readonly Claim[] {
  const { service, start, exception } = occurrence;
  const handling = handlingOf(exception, service, context);
  const end = service.kind === 'inpatient' ? daysAfter(start, service.nights) : start;
  const claim: Claim = {
    ...context,
    service,
    enrolment: enrolmentOn(context.enrolments, start),
    number: `C${random.digits(11)}`,
    handling,
    start,
    end,
    ...days(random, service, end),
    lines: settled(random, service, start, handling, benefits),
    chart: `MR${random.digits(7)}`,
    account: `A${random.digits(8)}`,
  };
  if (exception === 'twice') return [claim, repetition(random, claim)];
  if (exception === 'corrected') return correction(random, claim);
  return [claim];
}

/**
 * Decides on a claim. Members of Medicaid and Medicare owe no provider more than the plan allows, so their providers are all in network.
 * Nobody owes more for an emergency (No Surprises Act, 45 CFR 149.110).
 */
function handlingOf(
  exception: DatedTreatment['exception'],
  service: PlannedService,
  { person, subscriber }: ClaimContext,
): Handling {
  if (exception !== 'outside' || (person.lob !== 'MHBE' && person.lob !== 'EGWP')) return 'paid';
  if (isEmergency(service)) return 'paid';
  return subscriber === undefined ? 'out of network' : 'paid to the subscriber';
}

function isEmergency(service: PlannedService): boolean {
  if (service.kind === 'professional')
    return service.by === 'emergency medicine' || service.by === 'ambulance';
  return (service.kind === 'inpatient' || service.kind === 'outpatient') && service.emergency === true;
}

function enrolmentOn(enrolments: readonly Enrolment[], date: string): Enrolment {
  const found = enrolments.find(({ start, end = '9999-12-31' }) => start <= date && date <= end);
  if (found === undefined) throw new Error('a service outside every enrollment');
  return found;
}

/** Dates of a claim: a pharmacy claim is decided on the same day, others within weeks. */
function days(random: PseudoRandom, { kind }: PlannedService, end: string) {
  const received = kind === 'pharmacy' ? end : daysAfter(end, random.integer(2, 8));
  const decidedOn = kind === 'pharmacy' ? end : daysAfter(received, random.integer(3, 9));
  const paid = daysAfter(decidedOn, random.integer(2, 7));
  return { received, decided: decidedOn, paid, changed: paid };
}

function settled(
  random: PseudoRandom,
  service: PlannedService,
  start: string,
  handling: Handling,
  benefits: Benefits,
): readonly SettledLine[] {
  const [least, most] = service.kind === 'pharmacy' ? [70, 95] : [45, 70];
  const priced = service.lines.map(({ cents }) => {
    const submitted = Math.round((cents * random.integer(90, 110)) / 100);
    return { submitted, allowed: Math.round((submitted * random.integer(least, most)) / 100) };
  });
  const { kind, preventive = false } = service;
  const shares = benefits.split({ year: start.slice(0, 4), kind, preventive }, priced);
  return service.lines.flatMap((line, at) => {
    const own = shares[at];
    if (own === undefined) return [];
    return [{ line, shares: handling === 'paid' ? own : outsideNetwork(own) }];
  });
}

/** The duplicate of a claim, submitted some weeks later and denied. */
function repetition(random: PseudoRandom, claim: Claim): Claim {
  const received = daysAfter(claim.paid, random.integer(4, 12));
  const decidedOn = daysAfter(received, 3);
  return {
    ...claim,
    number: `C${random.digits(11)}`,
    handling: 'denied',
    received,
    decided: decidedOn,
    paid: decidedOn,
    changed: decidedOn,
    lines: claim.lines.map(({ line, shares }) => ({ line, shares: deniedShares(shares.submitted) })),
  };
}

/** The original of a corrected claim, with its first diagnosis only, and its replacement. */
function correction(random: PseudoRandom, claim: Claim): readonly Claim[] {
  const received = daysAfter(claim.paid, random.integer(4, 12));
  const replacement = {
    number: `C${random.digits(11)}`,
    decided: daysAfter(received, 3),
    paid: daysAfter(received, 5),
  };
  const { service, number } = claim;
  const first = { ...service, diagnoses: service.diagnoses.slice(0, 1) };
  return [
    {
      ...claim,
      service: first,
      handling: 'canceled',
      changed: replacement.decided,
      related: { as: 'replaced by', number: replacement.number },
    },
    { ...claim, ...replacement, received, changed: replacement.paid, related: { as: 'prior', number } },
  ];
}
