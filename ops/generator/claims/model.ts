import type { ProviderKind } from '../record/parties.ts';

/** The five kinds of claims of the CARIN guide, each with a profile of its own. */
export const claimKinds = ['inpatient', 'outpatient', 'professional', 'pharmacy', 'oral'] as const;
export type ClaimKind = (typeof claimKinds)[number];

export interface Diagnosis {
  /** ICD-10-CM. */
  readonly code: string;
  readonly text: string;
}

/** One line of a claim. */
export interface Line {
  /** HCPCS Level II, NDC or CDT, by the claim's kind; none for what a hospital bills by its revenue code alone. */
  readonly code?: string;
  readonly text: string;
  /** The billed amount in cents, before a random difference. */
  readonly cents: number;
  /** NUBC revenue code, of an institutional claim's line. */
  readonly revenue?: string;
  readonly quantity?: number;
  /** HCPCS modifier. */
  readonly modifier?: string;
  /** Universal number of the tooth, and the surface, of a dental line. */
  readonly tooth?: string;
  readonly surface?: string;
  /** The ingredients of a compound drug. */
  readonly ingredients?: readonly {
    readonly code: string;
    readonly text: string;
    readonly quantity: number;
  }[];
}

interface Service {
  /** Days after the course of treatment began. */
  readonly day: number;
  readonly diagnoses: readonly Diagnosis[];
  readonly lines: readonly Line[];
  /** Whether the line is prevention, for which the member owes nothing. */
  readonly preventive?: true;
}

export interface ProfessionalService extends Service {
  readonly kind: 'professional';
  readonly by: Exclude<ProviderKind, 'pharmacy' | 'dentist'>;
  /** CMS place of service. */
  readonly place: string;
  readonly ride?: Ride;
}

/** Why and how far an ambulance went; there and back. */
interface Ride {
  /** X12 ambulance transport reason. */
  readonly reason: string;
  readonly pounds: number;
  /** One way. */
  readonly miles: number;
  readonly purpose: string;
  readonly stretcher: string;
}

interface HospitalService extends Service {
  /** Paid as a whole, so that the amounts stand on the claim; else by the line. */
  readonly paidAsWhole?: true;
  /** Kind of the doctor who attends, and operates. @default the hospital's own, a hospitalist */
  readonly doctor?: ProviderKind;
}

export interface OutpatientService extends HospitalService {
  readonly kind: 'outpatient';
  readonly emergency?: true;
}

export interface InpatientService extends HospitalService {
  readonly kind: 'inpatient';
  readonly nights: number;
  /** MS-DRG. */
  readonly drg: string;
  readonly emergency?: true;
  /** ICD-10-PCS. */
  readonly procedure?: { readonly code: string; readonly text: string };
}

export interface PharmacyService extends Service {
  readonly kind: 'pharmacy';
  readonly daysSupply: number;
  readonly refill: number;
  readonly refillsAuthorized: number;
  readonly brand?: true;
}

export interface OralService extends Service {
  readonly kind: 'oral';
  /** Universal number of a tooth the dentist found missing. */
  readonly missingTooth?: string;
  /** Universal numbers of further teeth that a bridge spans. */
  readonly bridge?: readonly string[];
  /** Months an appliance will be worn. */
  readonly orthodonticMonths?: number;
}

export type PlannedService =
  | ProfessionalService
  | OutpatientService
  | InpatientService
  | PharmacyService
  | OralService;

/**
 * The plan's decision. `denied`: the same claim came a second time. `canceled`: the provider corrected it, and another claim
 * takes its place.
 */
export type Handling = 'paid' | 'denied' | 'out of network' | 'paid to the subscriber' | 'canceled';
