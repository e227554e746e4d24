/** Types of a decided synthetic claim and its lines, before they are written as FHIR. */

import type { Parties, Party } from '../record/parties.ts';
import type { SyntheticPerson } from '../record/patient.ts';
import type { Shares } from './cost-shares.ts';
import type { Enrolment } from './coverage.ts';
import type { Handling, Line, PlannedService } from './model.ts';

/** A line with its decided amounts. */
export interface SettledLine {
  readonly line: Line;
  readonly shares: Shares;
}

/** A claim that the plan has decided, before it is written as FHIR. */
export interface Claim<Service extends PlannedService = PlannedService> {
  readonly service: Service;
  readonly person: SyntheticPerson;
  readonly parties: Parties;
  readonly enrolment: Enrolment;
  /** Policyholder, if it isn't the member. */
  readonly subscriber: Party | undefined;
  /** The payer's claim number. */
  readonly number: string;
  readonly handling: Handling;
  /** First and last day of the service, `YYYY-MM-DD`. */
  readonly start: string;
  readonly end: string;
  /** Dates on which the plan received, decided and paid the claim. */
  readonly received: string;
  readonly decided: string;
  readonly paid: string;
  /** Date of the claim's last change: its payment or replacement. */
  readonly changed: string;
  /** The claim that this one corrects, or the one that corrects it. */
  readonly related?: { readonly as: 'prior' | 'replaced by'; readonly number: string };
  readonly lines: readonly SettledLine[];
  /** The provider's numbers for the patient's chart and account. */
  readonly chart: string;
  readonly account: string;
}
