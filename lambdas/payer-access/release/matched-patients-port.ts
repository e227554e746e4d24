/**
 * Port of the list of patients that a payer's application matched. Called where a request names no single member; the adapter
 * `payer-access/store/matched-patients.ts` reads the application's own list and IDs of records.
 */

export interface MatchedPatients {
  /** IDs of the patients that the application matched, the last match first. Each grant is judged apart. @throws StoreUnavailable */
  ofApplication(clientId: string): Promise<readonly string[]>;
  /** Those of the patients whose records have a resource of the type with one of the IDs, in their order. @throws StoreUnavailable */
  holding(
    patientIds: readonly string[],
    resourceType: string,
    ids: readonly string[],
  ): Promise<readonly string[]>;
}
