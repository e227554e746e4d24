/**
 * Port to the list of patients that a payer's application matched. Called if a request names no single member; the adapter
 * `payer-access/store/matched-patients.ts` reads the application's own list, and the IDs of resources in records.
 */

export interface MatchedPatients {
  /**
   * IDs of the patients that the application matched, the latest match first. Whether their grants still give access is judged elsewhere.
   *
   * @throws StoreUnavailable
   */
  ofApplication(clientId: string): Promise<readonly string[]>;
  /**
   * Selects the patients whose records have a resource of the type with one of the IDs, in the given order.
   *
   * @throws StoreUnavailable
   */
  holding(
    patientIds: readonly string[],
    resourceType: string,
    ids: readonly string[],
  ): Promise<readonly string[]>;
}
