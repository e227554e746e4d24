/** Port of a patient's stored resources: read with the grant, and listed by their search entries. */

import type { ResourceName } from '../../catalog/fhir/resource-name.ts';
import type { RecordLabels } from './label.ts';
import type { SearchValues } from './values.ts';

/** A member's grant to an application, as it is now. */
export interface AccessGrant {
  readonly clientId: string;
  readonly state: 'pending' | 'active' | 'revoked';
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** A resource as it is stored: serialized, ready to be sent. */
export interface StoredResource {
  /** The body for `application/json`. */
  readonly json: string;
  /** The body for `application/fhir+json`, where it differs. */
  readonly fhirJson?: string | undefined;
  readonly versionId: string;
  /** ISO 8601. */
  readonly lastUpdated: string;
}

/** The index entry of one resource: what a search filters, without the resource. */
export interface SearchEntry extends ResourceName {
  readonly versionId: string;
  /** ISO 8601. */
  readonly lastUpdated: string;
  /** Without references, unless they were asked for: of the patient alone then. */
  readonly values: SearchValues;
}

export interface AskedEntries {
  /** Undefined for all. */
  readonly resourceType: string | undefined;
  /** Whether the references to others than the patient are needed, which is a second query. */
  readonly references: boolean;
}

export interface PatientCompartment {
  /**
   * A grant, a resource and the labels of one patient, in one round trip, strongly consistent.
   *
   * @param patientId the token's patient, never the URL's.
   * @throws where the store is unavailable.
   */
  read(
    patientId: string,
    grantId: string,
    resourceType: string,
    id: string,
  ): Promise<{
    readonly grant: AccessGrant | undefined;
    readonly resource: StoredResource | undefined;
    readonly labels: RecordLabels;
  }>;
  /**
   * A grant, the labels and the entries of one patient's resources, in no order; side by side, strongly consistent.
   *
   * @throws where the store is unavailable.
   */
  entries(
    patientId: string,
    grantId: string,
    asked: AskedEntries,
  ): Promise<{
    readonly grant: AccessGrant | undefined;
    readonly entries: readonly SearchEntry[];
    readonly labels: RecordLabels;
  }>;
  /**
   * Resources of one patient in the order asked for; undefined for one that isn't there.
   *
   * @throws where the store is unavailable.
   */
  resources(
    patientId: string,
    names: readonly ResourceName[],
  ): Promise<readonly (StoredResource | undefined)[]>;
}
