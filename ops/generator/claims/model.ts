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
  /** HCPCS Level II, NDC or CDT, depending on the claim's kind; absent if a hospital bills by the revenue code alone. */
  readonly code?: string;
  readonly text: string;
  /** The billed amount in cents, before a random variation. */
  readonly cents: number;
  /** NUBC revenue code of a line of an institutional claim. */
  readonly revenue?: string;
  readonly quantity?: number;
  /** HCPCS modifier. */
  readonly modifier?: string;
  /** Tooth in the universal numbering, and surface, of a dental line. */
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
  /** Days since the beginning of the course of treatment. */
  readonly day: number;
  readonly diagnoses: readonly Diagnosis[];
  readonly lines: readonly Line[];
  /** Whether the line is preventive, so that the member owes nothing for it. */
  readonly preventive?: true;
}

export interface ProfessionalService extends Service {
  readonly kind: 'professional';
  readonly by: Exclude<ProviderKind, 'pharmacy' | 'dentist'>;
  /** CMS place-of-service code. */
  readonly place: string;
  readonly ride?: Ride;
}

/** Reason and distance of an ambulance transport, there and back. */
interface Ride {
  /** X12 ambulance transport reason. */
  readonly reason: string;
  readonly pounds: number;
  /** Miles one way. */
  readonly miles: number;
  readonly purpose: string;
  readonly stretcher: string;
}

interface HospitalService extends Service {
  /** Whether the stay is paid as a whole, so that amounts are on the claim and not on its lines. */
  readonly paidAsWhole?: true;
  /**
   * Kind of the attending and operating physician.
   *
   * @default a hospitalist
   */
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
  /** Tooth that the dentist found missing, in the universal numbering. */
  readonly missingTooth?: string;
  /** Further teeth that a bridge spans, in the universal numbering. */
  readonly bridge?: readonly string[];
  /** Months for which an appliance will be worn. */
  readonly orthodonticMonths?: number;
}

export type PlannedService =
  | ProfessionalService
  | OutpatientService
  | InpatientService
  | PharmacyService
  | OralService;

/**
 * The plan's decision. `denied`: the claim was submitted a second time. `canceled`: the provider corrected it, and another claim replaces
 * it.
 */
export type Handling = 'paid' | 'denied' | 'out of network' | 'paid to the subscriber' | 'canceled';
