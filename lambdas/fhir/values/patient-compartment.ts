/** Port to a patient's stored resources, by ID or by their search entries, with the grant that a request depends on. */

import type { ResourceName } from '../../catalog/fhir/resource-name.ts';
import type { RecordLabels } from './label.ts';
import type { SearchValues } from './values.ts';

/** A member's grant to an application, in its current state. */
export interface AccessGrant {
  readonly clientId: string;
  readonly state: 'pending' | 'active' | 'revoked';
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** A stored resource, serialized and ready to be sent. */
export interface StoredResource {
  /** The body for `application/json`. */
  readonly json: string;
  /** The body for `application/fhir+json`, if it differs. */
  readonly fhirJson?: string | undefined;
  readonly versionId: string;
  /** ISO 8601. */
  readonly lastUpdated: string;
}

/** The search entry of one resource: the values that a search filters by, without the resource. */
export interface SearchEntry extends ResourceName {
  readonly versionId: string;
  /** ISO 8601. */
  readonly lastUpdated: string;
  /** References are included only if they were asked for; those to the patient always are. */
  readonly values: SearchValues;
}

export interface AskedEntries {
  /** Undefined for all types. */
  readonly resourceType: string | undefined;
  /** Whether references other than those to the patient are needed, which takes a second query. */
  readonly references: boolean;
}

export interface PatientCompartment {
  /**
   * Reads a grant, a resource and the labels of one patient, in one strongly consistent round trip.
   *
   * @param patientId the token's patient, never the URL's.
   * @throws if the store is unavailable.
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
   * Reads a grant, the labels and the search entries of one patient, concurrently and strongly consistent. The entries are unordered.
   *
   * @throws if the store is unavailable.
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
   * Reads resources of one patient, in the order asked for; undefined for a resource that doesn't exist.
   *
   * @throws if the store is unavailable.
   */
  resources(
    patientId: string,
    names: readonly ResourceName[],
  ): Promise<readonly (StoredResource | undefined)[]>;
}
