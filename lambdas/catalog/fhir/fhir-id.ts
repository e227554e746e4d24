/** A resource's logical id (R4, datatypes.html#id). */
export const fhirId = /^[A-Za-z0-9\-.]{1,64}$/;

/** Whether a text of a URL could be a resource's id at all. */
export function isFhirId(text: string): boolean {
  return fhirId.test(text);
}
